// Elements of made-up inputs that a run takes for sizes.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"
#include "verify/tried_sizes.h"

namespace burin {

// Every element of an input of which a run makes a size goes into the range of that size at these
// sizes of the caller, as near as it is: a run at what --dim allows is no run that is refused.
// `graph` as it was lowered, with `inputs` in its order.
void into_ranges(const KernelGraph& graph, const SampleSizes& sizes,
                 std::vector<HostTensor>& inputs);

}  // namespace burin
