// A map as a part of the write of what it reads element by element.
#pragma once

#include <optional>

#include "fuse/access/options.h"

namespace burin {

// The kernel that makes `from` with what `map` does to it: it writes the map's result. nullopt
// where the map reads `from` at several points, not one to one, or the kernel would be too large.
std::optional<Kernel> with_epilogue(const Kernel& producer, const Kernel& map, ValueId from,
                                    const std::vector<Value>& values, const FuseOptions& options);

}  // namespace burin
