// fp16 that is shifted by numbers twice: (x + c) - d, where x + c is a tensor of fp16.
//
// Kernels that join drop the rounding of a tensor between them: arithmetic is in floats, and what
// is not rounded is more exact. Here that would be another number: c may be there to round x, or to
// mask it. So the first sum is rounded to fp16 wherever it is computed, also behind movement and
// scales by numbers. What it may change: nothing, it keeps what the model says.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// O(size of the graph).
KernelGraph with_rounded_shifts(KernelGraph graph);

}  // namespace burin
