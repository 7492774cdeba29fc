// Tensors that follow from constants alone, computed while generating: masks that a model assembles
// slice by slice, tables of indices.
//
// Fusion has put into its readers what is cheap to compute where it is read: broadcasts, causal
// conditions, dequantised weights. A kernel that is left over constants would be run and stored
// every time, so its result takes memory either way. As a constant it takes no time, and is a
// constant for what reads it. It stays a kernel where a constant would be so much larger than what
// the kernel reads that its bytes are what costs.
#pragma once

#include "fuse/access/options.h"

namespace burin {

// Adds to `made` the nodes of which nothing is left to run. O(steps^2) in the worst case, and what
// the interpreter takes, which has a budget.
KernelGraph with_known_values(KernelGraph graph, Rewrites& made);

}  // namespace burin
