// Polyphase decomposition: congruences become phases. Where a sum takes a point of a reduced axis t
// only if
//   (a*t + rest) % s == r,
// as the transposed convolution does (rest runs over an output axis o), t is one of every s' =
// s / gcd(a, s) points, and which one is decided by o % s: with t = s'*j + e and o = s*p + f,
// e is a function of f, and the loops over p and j are dense and free of divisions. What remains of
// t beyond its extent, and of o, is guarded.
//
//   o = 2p + f, taps of 4, padding 1:  sum over k where (o + 1 - k) % 2 == 0 of x[(o + 1 - k) // 2]
//                                  ->  sum over j of x[p - j + (f + 1) // 2], k = 2j + (f + 1) % 2
#pragma once

#include "kernel/kernel.h"

namespace burin {

// The same kernel with such axes replaced; unchanged where there are none. Sums keep their order.
Kernel polyphase(const Kernel& kernel);

}  // namespace burin
