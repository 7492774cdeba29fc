// Sums without terms that are zero for every result: a tap of a convolution that meets nothing but
// margins, whatever pixel it is taken for (dilations as wide as the plane, filters on planes of one
// pixel). The axis of the sum runs over the others, and conditions that always hold then go.
//
// Exact but for another factor that is infinite or NaN, which no result reads any more: what is
// zero by its place adds nothing here (select/axes/guards.h, docs/limits.md). So only products with
// constants are looked at.
#pragma once

#include "kernel/kernel.h"

namespace burin {

KernelGraph without_empty_terms(KernelGraph graph);

}  // namespace burin
