// The exponents and sums of attention in the spelling of its form
// (fuse/attention/attention_form.h), where a model has others:
//
//   powers   c ^ x, with c > 1: exp(x * ln c). What it may change: the exponent, by the rounding of
//            the product, which is a small part of the exponent whatever the scores are
//   scales   exp((S - m) * f), with f > 0: exp(S * f - m), where m is the greatest of S * f. What
//            it may change: exponents, by the rounding of S, without a bound where S is large (a
//            mask of 1e9), so it needs fast_math
//   ones     sum of e * w, where every element of w is 1: sum of e
//   no key   every S is -infinity, asked of all keys: m == -infinity, asked of the greatest
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// The kernel, without maps; nullopt where there is no other spelling in it. O(size of the kernel,
// and elements of the constants that may be ones).
std::optional<Kernel> with_plain_exponents(const Kernel& kernel, const std::vector<Value>& values,
                                           bool fast_math);

}  // namespace burin
