// SPDX-License-Identifier: MIT-0
// row: Softmax '/Softmax'
//   Softmax: axis=1
//
//   greatest0[i0] = max over i1: input[i0, i1]
//   v1[i0, i1] = exp((input[i0, i1] - greatest0[i0]))
//   sum2[i0] = sum over i1: v1[i0, i1]
//   output[i0, i1] := v1[i0, i1] / sum2[i0]
//
// input   f32[batch, 10], strides [10, 1]
// output  f32[batch, 10], strides [10, 1], output of the network 'probabilities'
// n0      batch
//
// generic loops in the order of the axes; functions of elements are kept for a row; threads share i0
#include "../kernels.h"
#include "../rt/bits.h"
#include "../rt/elementary.h"
#include "../rt/exp.h"
#include "../rt/independent.h"

namespace digits_kernels {

void softmax_820a9d58(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const v1_rows = reinterpret_cast<float*>(scratch);
  // Computes output from input.
  for (int64_t i0 = first; i0 < last; ++i0) {
    float greatest0 = -burin_rt::f32_infinity();
    // Computes greatest0 from input.
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      greatest0 = burin_rt::maximum(greatest0, input[10 * i0 + i1]);
    }
    // Computes v1_rows from input and greatest0.
    BURIN_RT_INDEPENDENT
    for (int64_t i1_2 = 0; i1_2 < 10; ++i1_2) {
      v1_rows[i1_2] = burin_rt::exp((input[10 * i0 + i1_2] - greatest0));
    }
    float sum2 = 0.0f;
    // Adds v1_rows to sum2.
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      sum2 += v1_rows[i1];
    }
    // Computes output from v1_rows and sum2.
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      output[10 * i0 + i1] = v1_rows[i1] / sum2;
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
