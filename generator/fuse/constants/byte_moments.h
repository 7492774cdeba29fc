// Sums over rows of dequantised bytes, and of their squares, as sums of integers that are scaled
// once: what a normalisation asks of a row.
//
//   sum over k of f32(q - z) * s                 =  f32(Q1 - N z) * s,        Q1 = sum of q
//   sum over k of (f32(q - z) * s - M / N)^2     =  f32(N Q2 - Q1^2) / N * s * s,  Q2 = sum of q^2
//   sum over k of (f32(q - z) * s)^2             =  f32(sum of (q - z)^2) * s * s
//
// over N places, where s and z do not move along k and M is the first of the row. The second is an
// identity over the integers: nothing is cancelled, the zero point is not a part of it, and a row
// of one number has no deviation.
//
// Integers are exact. A byte is at most L = 255 from 0 (128 if it is signed), and at most 255 from
// a zero point; so |Q1| and |Q1 - N z| are at most 255 N, sums of squares at most 255^2 N. The
// first have 32 bits where that is below 2^31, the second 32 or else 64, and N Q2 and Q1^2 are at
// most (L N)^2, which is below 2^63 (N up to 2^23). Where sizes do not show it, nothing is done.
// Then a first sum is within two roundings of what the model says over the real numbers (its
// conversion and its product), one of squares within four, where sums of floats are within one for
// each of their terms: for all bytes, as long as nothing on the way is too small or too large for a
// float.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

// The kernel with integer sums; nullopt: it has no such row. O(size of the kernel).
std::optional<Kernel> with_integer_moments(const Kernel& kernel);

KernelGraph with_integer_moments(KernelGraph graph);

}  // namespace burin
