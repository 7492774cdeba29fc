// Rewrites of a whole graph that leave no arithmetic on constants, and no step that nobody needs.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// The steps without those whose results nobody uses.
KernelGraph remove_dead(KernelGraph graph);

// Subexpressions over constants only become constants: the scale of a folded normalisation.
KernelGraph hoist_constants(KernelGraph graph);

// Scales of sums of products move into their constant factor (fuse/constants/fold_scale.cpp): of a
// convolution with BatchNormalization only the bias stays. `fast_math`: also where a result may
// change by more than the rounding of one operation.
KernelGraph fold_scales(KernelGraph graph, bool fast_math = false);

}  // namespace burin
