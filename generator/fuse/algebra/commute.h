// Rewrites that exchange a reduction and what is done to each of its terms: DNNFusion's commutative
// rules. With c the same for all terms k:
//   sum of x[k] * c = c * sum of x[k];     sum of x[k] << c = (sum of x[k]) << c
//   max of x[k] + c = c + max of x[k];     max of x[k] * c = c * max of x[k], of min if c < 0
//   product of exp(x[k]) = exp(sum of x[k])
// Made as in fuse/algebra/terms.h: where it is less work, and overflows alike.
//
// What it may change: the greatest of rounded numbers is the rounded greatest, since rounding is
// monotone; of floats that one is made by itself, and changes at most the sign of a zero. Scaled
// sums and products of exponents round otherwise and need fast_math. Integers wrap: nothing.
#pragma once

#include <optional>

#include "fuse/algebra/terms.h"

namespace burin {

// The kernel with one let changed. `exact`: nothing that rounds otherwise.
std::optional<Kernel> commuted(const Kernel& kernel, int let, bool exact, ValueBounds& bounds);

}  // namespace burin
