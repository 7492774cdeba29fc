// Reductions of a few points, written out: no loop is left of them.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

inline constexpr int64_t kMostWrittenOut = 4;  // points of a reduction

// A kernel whose only let reduces a few points, with these written out: it has no let then, and
// none of the axes that were reduced. nullopt: it is another kernel, or they are more.
std::optional<Kernel> written_out(const Kernel& kernel);

}  // namespace burin
