// SPDX-License-Identifier: MIT-0
// reduction: GlobalAveragePool '/GlobalAveragePool'
//
//   sum0[i0, i1] = sum over i2: input[i0, i1, (i2 div 4), (i2 mod 4)]
//   output[i0, i1, 0, 0] := sum0[i0, i1] / 16
//
// input   f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// output  f32[batch, 48, 1, 1], strides [48, 1, 1, 1]
// n0      batch
//
// generic loops in the order of the axes; let0 in 8 partial results; threads share i0
#include "../kernels.h"

namespace digits_kernels {

void global_average_pool_e2fb56f4(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last) {
  // Computes output from input.
  for (int64_t i0 = first; i0 < last; ++i0) {
    for (int64_t i1 = 0; i1 < 48; ++i1) {
      float sum0 = 0.0f;
      alignas(64) float lanes0[8];
      // Sets lanes0 to a constant.
      for (int64_t lane = 0; lane < 8; ++lane) {
        lanes0[lane] = 0.0f;
      }
      // Adds input to lanes0.
      for (int64_t i2_first = 0; i2_first < 16; i2_first += 8) {
        for (int64_t lane = 0; lane < 8; ++lane) {
          const int64_t i2 = lane + i2_first;
          lanes0[lane] += input[768 * i0 + 16 * i1 + i2];
        }
      }
      // Computes lanes0.
      for (int64_t lane = 0; lane < 4; ++lane) {
        lanes0[lane] += lanes0[lane + 4];
      }
      // Computes lanes0.
      for (int64_t lane = 0; lane < 2; ++lane) {
        lanes0[lane] += lanes0[lane + 2];
      }
      lanes0[0] += lanes0[1];
      sum0 += lanes0[0];
      output[48 * i0 + i1] = sum0 / 16.0f;
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
