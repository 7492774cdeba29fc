// Sums of products of dequantised bytes: integers are summed, scales are multiplied with the sum.
//
//   sum over k of (f32(a - za) * sa) * (f32(b - zb) * sb)
//     =  f32(sum over k of (a - za)(b - zb)) * sa * sb
//
// where no scale moves along k: a per-tensor or per-channel scale of a convolution, a matrix
// product, of whatever the model calls it. Where a factor stands under a guard and is 0 elsewhere,
// the integer is. The integers are exact as long as all sums fit 32 bits, which the sizes and the
// ranges of bytes have to show; the result is within three roundings of what the model says over
// the real numbers as long as nothing on the way is too small or too large for a float, where the
// sum of floats is within one for each of its terms. (QDQ graphs are written to be run so:
// onnxruntime and others do.)
#pragma once

#include "fuse/access/block_steps.h"

namespace burin {

// The kernel with an integer sum; nullopt: its sum is of something else. O(size of the kernel).
std::optional<Kernel> with_integer_sum(const Kernel& kernel);

// The same of one dequantised byte that is summed alone: a mean over a plane.
std::optional<Kernel> with_integer_mean(const Kernel& kernel);

// The kernel at a place, with the maps that dequantise what it multiplies.
void fuse_dequantised(BlockSteps& block, int at);

}  // namespace burin
