// SPDX-License-Identifier: MIT-0
// reduction: GlobalAveragePool '/GlobalAveragePool'
//
//   sum0[i0, i1] = sum over i2: in_inverted_Add_output_0[i0, i1, (i2 div 4), (i2 mod 4)]
//   out_GlobalAveragePool_output_0[i0, i1, 0, 0] := sum0[i0, i1] / 16
//
// in_inverted_Add_output_0        f32[batch, 48, 4, 4], tensor '/inverted/Add_output_0'
// out_GlobalAveragePool_output_0  f32[batch, 48, 1, 1], tensor '/GlobalAveragePool_output_0'
// n0                              batch
//
// generic loops in the order of the axes; let0 in 8 partial results; threads share i0
#include "../kernels.h"

namespace digits_kernels {

void global_average_pool_5b25c05a(
    const float* __restrict in_inverted_Add_output_0,
    float* __restrict out_GlobalAveragePool_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last) {
  for (int64_t i0 = first; i0 < last; ++i0) {
    for (int64_t i1 = 0; i1 < 48; ++i1) {
      float sum0 = 0.0f;
      alignas(64) float lanes0[8];
      for (int64_t lane = 0; lane < 8; ++lane) {
        lanes0[lane] = 0.0f;
      }
      for (int64_t i2_first = 0; i2_first < 16; i2_first += 8) {
        for (int64_t lane = 0; lane < 8; ++lane) {
          const int64_t i2 = lane + i2_first;
          lanes0[lane] += in_inverted_Add_output_0[768 * i0 + 16 * i1 + i2];
        }
      }
      for (int64_t lane = 0; lane < 4; ++lane) {
        lanes0[lane] += lanes0[lane + 4];
      }
      for (int64_t lane = 0; lane < 2; ++lane) {
        lanes0[lane] += lanes0[lane + 2];
      }
      lanes0[0] += lanes0[1];
      sum0 += lanes0[0];
      out_GlobalAveragePool_output_0[48 * i0 + i1] = sum0 / 16.0f;
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
