// Loop-invariant code motion: what is computed once for a row, or once for an element of it, as
// lets. Loops whose innermost axis is not that of the row recompute everything else for each
// element (select/rows/outer_axis.h).
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Axes that all lets and writes run over, ascending.
std::vector<int> common_axes(const Kernel& kernel);

// Every let over `axis`, too: what does not depend on it has the same value at all of its points.
// Lets are over ascending axes, and everything that reads one is over `axis`, or reads it so from
// then on.
Kernel with_lets_at_points(const Kernel& kernel, int axis);

// Lets over the common axes for what takes a quotient or a function of them and of lets alone:
// 1 / sqrt(variance). They follow the lets that they are made of.
Kernel with_row_invariants_moved(const Kernel& kernel);

// Lets for functions of elements that a reduction and something else both need, exp(x - max), where
// those of one point take at most `room` bytes.
Kernel with_functions_once(const Kernel& kernel, int64_t room);

}  // namespace burin
