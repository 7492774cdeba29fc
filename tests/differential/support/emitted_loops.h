// Reads emitted kernels: what stands in their innermost loops.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

// The lines of loops that hold no other loop, without comments and without the loops' own headers.
std::vector<std::string> innermost_lines(std::string_view source);

// Whether a line divides integers: `%` anywhere, and `/` or a division of runtime_min inside an
// index or in the definition of one.
bool divides_integers(std::string_view line);

}  // namespace burin
