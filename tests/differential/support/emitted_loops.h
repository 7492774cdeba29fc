// Reads emitted kernels: what their innermost loops do at every iteration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

// The lines of `for` loops that hold no other one, without comments, and of their headers what is
// evaluated at every iteration. (`while` only carries counters on.)
std::vector<std::string> innermost_lines(std::string_view source);

// The divisions of a line that say where something is: quotients and remainders of loop variables
// and sizes. Divisions of the network's own values, and of places that are read from data, are
// none.
std::vector<std::string> index_divisions(std::string_view line);

}  // namespace burin
