// Arithmetic in another order where that is less of it: DNNFusion's associative, distributive and
// commutative rewrites over the expressions of every kernel (fuse/algebra/terms.h,
// fuse/algebra/commute.h).
//
// Integers wrap, so their sums and products may be taken in any order. Floats round, and a model
// may count on how: by default only rules are applied that change no bit but the sign of a zero.
// With fast_math a result may differ by the roundings of a sum in another order, relative to its
// largest term. Never in whether it is finite, infinite or NaN; and not at all where a rounding
// would show as another result (fuse/algebra/exact_uses.h), as far as that is seen: numbers that
// are added and taken away to round are not.
#pragma once

#include "fuse/access/options.h"

namespace burin {

KernelGraph rewrite_algebra(KernelGraph graph, const FuseOptions& options, Rewrites& made);

}  // namespace burin
