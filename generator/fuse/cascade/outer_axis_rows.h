// Rows that lie across memory: a norm over the channels of NCHW, where what is next to an element
// belongs to the next row.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Whether neighbouring rows are neighbours in memory, along an axis that every let runs over:
// what reductions read of them goes on by one element there, and by more within a row. Loops that
// are vectorised along the outer axis then read in the order of memory. Their sums run one element
// after the other: false where one may be longer than that bears.
bool reads_along_outer_axis(const Kernel& kernel, int axis, const std::vector<Value>& values);

// Elements in memory from a point to its neighbour along `axis`; no number where that is not one.
Index step_along(const Index& address, int axis);

}  // namespace burin
