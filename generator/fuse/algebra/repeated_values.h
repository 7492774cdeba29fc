// What neighbouring points of an axis compute alike is computed once.
//
// A resized image: rows of the result lie between two rows of the image, and many of them between
// the same two. What is interpolated along these rows, which is most of the work, depends on the
// row of the image alone:
//
//   y[i, j] = a[i] * (b[j] * x[r(i), c(j)] + d[j] * x[r(i), e(j)]) + ...
//     t[r, j] = b[j] * x[r, c(j)] + d[j] * x[r, e(j)];   y[i, j] = a[i] * t[r(i), j] + ...
//
// A part of a map's value that depends on an axis through one index alone, where a dimension with at
// most half as many points as the axis is read, becomes a tensor over that dimension. The same
// operations in the same order: bits do not change.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Of the graph's own list and of all blocks inside. O(size of the kernels x axes).
KernelGraph with_values_once(KernelGraph graph);

}  // namespace burin
