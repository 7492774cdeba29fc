// SPDX-License-Identifier: MIT-0
// row: Softmax '/Softmax'
//   Softmax: axis=1
//
//   greatest0[i0] = max over i1: input[i0, i1]
//   sum1[i0] = sum over i1: exp((input[i0, i1] - greatest0[i0]))
//   output[i0, i1] := exp((input[i0, i1] - greatest0[i0])) / sum1[i0]
//
// input   f32[batch, 10], strides [10, 1]
// output  f32[batch, 10], strides [10, 1], output of the network 'probabilities'
// n0      batch
//
// generic loops in the order of the axes; threads share i0
#include "../kernels.h"
#include "../rt/bits.h"
#include "../rt/elementary.h"
#include "../rt/exp.h"

namespace digits_kernels {

void softmax_663f0946(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last) {
  // Computes output from input.
  for (int64_t i0 = first; i0 < last; ++i0) {
    float greatest0 = -burin_rt::f32_infinity();
    // Computes greatest0 from input.
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      greatest0 = burin_rt::maximum(greatest0, input[10 * i0 + i1]);
    }
    float sum1 = 0.0f;
    // Computes sum1 from input and greatest0.
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      sum1 += burin_rt::exp((input[10 * i0 + i1] - greatest0));
    }
    // Computes output from input, greatest0 and sum1.
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      output[10 * i0 + i1] = burin_rt::exp((input[10 * i0 + i1] - greatest0)) / sum1;
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
