// Elements of made-up inputs that a network takes for lengths: of rows that are shorter than their
// tensor, of a cache.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"
#include "verify/tried_sizes.h"

namespace burin {

// A number that is compared with places along an axis becomes at least half of that axis, and less
// than all of it: as 0 or 1 it would leave one place or none. A number of which a run makes a size
// becomes the largest size of the caller, or 4, as far as its range allows. Not every network takes
// these (a size may have to be equal to another), so the run is to be tried. Sizes are those of
// `lowered`; comparisons those of `fused`, where a mask is made of places and not of a tensor of
// them. Both have `inputs` in their order.
void into_lengths(const KernelGraph& lowered, const KernelGraph& fused, const SampleSizes& sizes,
                  std::vector<HostTensor>& inputs);

}  // namespace burin
