// SPDX-License-Identifier: MIT-0
// contraction: Conv '/inverted/project/conv/Conv', BatchNormalization '/inverted/project/norm/BatchNormalization', Add
// '/inverted/Add'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[1, 1], pads=[0, 0, 0, 0], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1] = sum over i2: weights[(i0 div 6), i2, (i0 mod 6)] * input0[(i1 div 16), i2, ((i1 div 4) mod 4), (i1
//       mod 4)]
//   output[i1 div 16, i0, (i1 div 4) mod 4, i1 mod 4] := input1[(i1 div 16), i0, ((i1 div 4) mod 4), (i1 mod 4)] +
//       (sum0[i0, i1] + bias[i0])
//
// weights  f32[8, 96, 6], strides [576, 6, 1], constant '/inverted/project/conv/Conv_rows'
// input0   f32[batch, 96, 4, 4], strides [1536, 16, 4, 1]
// input1   f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// bias     f32[48], constant 'inverted.project.norm.bias_folded'
// output   f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// n0       batch
//
// tiles of 6 x 16 for 48 x 16*batch x 96; threads share i1
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_add_fa1542e9(
    const float* __restrict weights,
    const float* __restrict input0,
    const float* __restrict input1,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const b_panel = reinterpret_cast<float*>(scratch);
  // Computes output from weights, input0, input1 and bias.
  for (int64_t i1_first = first; i1_first < last; i1_first += 16) {
    const int64_t q0 = i1_first / 16;
    const int64_t q1 = i1_first % 16;
    const int64_t i1_end = burin_rt::minimum<int64_t>(last, i1_first + 16);
    const int64_t q2 = (i1_end + 15) / 16;
    // Copies input0 to b_panel.
    for (int64_t i2 = 0; i2 < 96; ++i2) {
      for (int64_t plane_row = q0; plane_row < q2; ++plane_row) {
        const int64_t plane_begin = burin_rt::maximum<int64_t>(0, i1_first - 16 * plane_row);
        const int64_t plane_end = burin_rt::minimum<int64_t>(16, i1_end - 16 * plane_row);
        for (int64_t plane_column = plane_begin; plane_column < plane_end; ++plane_column) {
          b_panel[16 * i2 - i1_first + 16 * plane_row + plane_column] =
              input0[16 * i2 + 1536 * plane_row + plane_column];
        }
      }
    }
    // Computes output from weights, input1, bias and b_panel.
    for (int64_t i0_first = 0; i0_first < 48; i0_first += 6) {
      const int64_t q3 = i0_first / 6;
      const int64_t i0_end = burin_rt::minimum<int64_t>(48, i0_first + 6);
      alignas(64) float tile[96];
      // Computes tile from weights and b_panel.
      burin_rt::outlined(tile, [=](float* __restrict tile_array) {
        burin_rt::FloatVector<8> sums[6][2];
        // Sets sums to a constant.
#pragma GCC unroll 6
        for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
          for (int64_t vector = 0; vector < 2; ++vector) {
            sums[row][vector] = burin_rt::broadcast<8>(0.0f);
          }
        }
        // Adds products of weights and b_panel to sums.
        for (int64_t depth = 0; depth < 96; ++depth) {
#pragma GCC unroll 6
          for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
            for (int64_t vector = 0; vector < 2; ++vector) {
              sums[row][vector] = burin_rt::add_product<8>(
                  sums[row][vector], &weights[row + 6 * depth + 576 * q3], &b_panel[8 * vector + 16 * depth]);
            }
          }
        }
        // Copies sums to tile_array.
#pragma GCC unroll 6
        for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
          for (int64_t vector = 0; vector < 2; ++vector) {
            burin_rt::store(&tile_array[16 * row + 8 * vector], sums[row][vector]);
          }
        }
      });
      // Computes output from input1, bias and tile.
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        [[maybe_unused]] int64_t q4 = q0;
        int64_t r5 = q1;
        for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
          const float t0 = input1[16 * i0 + 768 * q4 + r5] + (tile[16 * i0 + i1 - i1_first - 16 * i0_first] + bias[i0]);
          output[16 * i0 + 768 * q4 + r5] = t0;
          r5 += 1;
          if (r5 >= 16) {
            r5 -= 16;
            ++q4;
          }
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
