// Arithmetic in another order where that is less of it: DNNFusion's associative, distributive and
// commutative rewrites over the expressions of every kernel (fuse/terms.h, fuse/commute.h).
//
// Integers wrap, so their sums and products may be taken in any order. Floats round: a result may
// differ by the roundings of a sum in another order, relative to its largest term, and in the sign
// of a zero. Never in whether it is finite, infinite or NaN; and not at all where a rounding would
// show as another result (fuse/exact_uses.h).
#pragma once

#include "fuse/fuse.h"

namespace burin {

KernelGraph rewrite_algebra(KernelGraph graph, const FuseOptions& options, Rewrites& made);

}  // namespace burin
