// SPDX-License-Identifier: MIT-0
// row: Softmax 'middle'
//   Softmax: axis=1
//
//   greatest0[i0, i2] = max over i1: input[i0, i1, i2]
//   sum1[i0, i2] = sum over i1: exp((input[i0, i1, i2] - greatest0[i0, i2]))
//   output[i0, i1, i2] := exp((input[i0, i1, i2] - greatest0[i0, i2])) / sum1[i0, i2]
//
// input   f32[batch, rows, cols], strides [cols*rows, cols, 1], input of the network 'x'
// output  f32[batch, rows, cols], strides [cols*rows, cols, 1], output of the network 'middle'
// n0      batch
// n1      cols
// n2      rows
//
// generic loops in the order of the axes; let0 in 4 partial results; let1 in 4 partial results for each 1024 points
#include "../kernels.h"
#include "../rt/bits.h"
#include "../rt/elementary.h"
#include "../rt/exp.h"

namespace pair_kernels {

void softmax_d6483da8(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t n1,
    const int64_t n2) {
  const int64_t q0 = n2 / 4;
  // Computes output from input.
  for (int64_t i0 = 0; i0 < n0; ++i0) {
    for (int64_t i2 = 0; i2 < n1; ++i2) {
      float greatest0 = -burin_rt::f32_infinity();
      alignas(64) float lanes0[4];
      // Sets lanes0 to a constant.
      for (int64_t lane = 0; lane < 4; ++lane) {
        lanes0[lane] = -burin_rt::f32_infinity();
      }
      const int64_t i1_whole = 4 * q0;
      // Computes lanes0 from input.
      for (int64_t i1_first = 0; i1_first < i1_whole; i1_first += 4) {
        for (int64_t lane = 0; lane < 4; ++lane) {
          const int64_t i1 = lane + i1_first;
          lanes0[lane] = burin_rt::maximum(lanes0[lane], input[n1 * n2 * i0 + n1 * i1 + i2]);
        }
      }
      // Computes lanes0 from input.
      for (int64_t i1 = i1_whole; i1 < n2; ++i1) {
        lanes0[i1 - i1_whole] = burin_rt::maximum(lanes0[i1 - i1_whole], input[n1 * n2 * i0 + n1 * i1 + i2]);
      }
      // Computes lanes0.
      for (int64_t lane = 0; lane < 2; ++lane) {
        lanes0[lane] = burin_rt::maximum(lanes0[lane], lanes0[lane + 2]);
      }
      lanes0[0] = burin_rt::maximum(lanes0[0], lanes0[1]);
      greatest0 = burin_rt::maximum(greatest0, lanes0[0]);
      float sum1 = 0.0f;
      // Computes sum1 from input and greatest0.
      for (int64_t i1_block = 0; i1_block < n2; i1_block += 1024) {
        const int64_t i1_end = burin_rt::minimum<int64_t>(n2, i1_block + 1024);
        const int64_t q1 = (burin_rt::maximum<int64_t>(0, -i1_block + i1_end)) / 4;
        alignas(64) float lanes1[4];
        // Sets lanes1 to a constant.
        for (int64_t lane = 0; lane < 4; ++lane) {
          lanes1[lane] = 0.0f;
        }
        const int64_t i1_whole_2 = i1_block + 4 * q1;
        // Computes lanes1 from input and greatest0.
        for (int64_t i1_first = i1_block; i1_first < i1_whole_2; i1_first += 4) {
          for (int64_t lane = 0; lane < 4; ++lane) {
            const int64_t i1 = lane + i1_first;
            lanes1[lane] += burin_rt::exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
          }
        }
        // Computes lanes1 from input and greatest0.
        for (int64_t i1 = i1_whole_2; i1 < i1_end; ++i1) {
          lanes1[i1 - i1_whole_2] += burin_rt::exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
        }
        // Computes lanes1.
        for (int64_t lane = 0; lane < 2; ++lane) {
          lanes1[lane] += lanes1[lane + 2];
        }
        lanes1[0] += lanes1[1];
        sum1 += lanes1[0];
      }
      // Computes output from input, greatest0 and sum1.
      for (int64_t i1 = 0; i1 < n2; ++i1) {
        output[n1 * n2 * i0 + n1 * i1 + i2] = burin_rt::exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
      }
    }
  }
}

}  // namespace pair_kernels
