// SPDX-License-Identifier: MIT-0
// contraction: Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu '/Relu'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: weights[(i0 div 6), i4, i5, (i0 mod 6)] * {0 <= i2 + i4 - 1 < 8 && 0 <= i3 +
//       i5 - 1 < 8: input[i1, 0, i2 + i4 - 1, i3 + i5 - 1]; else 0}
//   output[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] + bias[i0]), 0)
//
// weights  f32[4, 3, 3, 6], strides [54, 18, 6, 1], constant '/stem/conv/Conv_rows'
// input    f32[batch, 1, 8, 8], strides [64, 64, 8, 1], input of the network 'image'
// bias     f32[24], constant 'stem.norm.bias_folded'
// output   f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// n0       batch
//
// tiles of 6 x 16 for 24 x 64*batch x 9, read through a window; threads share i1
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_relu_647aaa50(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  int32_t* const shifts = reinterpret_cast<int32_t*>(scratch);
  float* const staged = reinterpret_cast<float*>(scratch + 64);
  // Computes shifts.
  for (int64_t i4 = 0; i4 < 3; ++i4) {
    for (int64_t i5 = 0; i5 < 3; ++i5) {
      shifts[3 * i4 + i5] = static_cast<int32_t>(10 * i4 + i5);
    }
  }
  // Sets staged to a constant.
  for (int64_t behind = 0; behind < 16; ++behind) {
    staged[behind + 100] = 0.0f;
  }
  // Sets staged to a constant.
  for (int64_t i7 = 0; i7 < 10; ++i7) {
    staged[i7] = 0.0f;
  }
  // Sets staged to a constant.
  for (int64_t i6 = 1; i6 < 9; ++i6) {
    staged[10 * i6] = 0.0f;
    staged[10 * i6 + 9] = 0.0f;
  }
  // Sets staged to a constant.
  for (int64_t i7 = 0; i7 < 10; ++i7) {
    staged[i7 + 90] = 0.0f;
  }
  // Computes output and staged from weights, input, bias and shifts.
  for (int64_t i1 = first; i1 < last; ++i1) {
    // Copies input to staged.
    for (int64_t i6 = 1; i6 < 9; ++i6) {
      for (int64_t i7 = 1; i7 < 9; ++i7) {
        staged[10 * i6 + i7] = input[64 * i1 + 8 * i6 + i7 - 9];
      }
    }
    // Computes output from weights, bias, shifts and staged.
    for (int64_t position = 0; position < 78; position += 16) {
      const int64_t q0 = position / 10;
      const int64_t q1 = (position + 5) / 10;
      for (int64_t i0_first = 0; i0_first < 24; i0_first += 6) {
        const int64_t q2 = i0_first / 6;
        const int64_t i0_end = burin_rt::minimum<int64_t>(24, i0_first + 6);
        alignas(64) float tile[96];
        // Computes tile from weights, shifts and staged.
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
          // Adds products of weights, shifts and staged to sums.
          for (int64_t depth = 0; depth < 9; ++depth) {
#pragma GCC unroll 6
            for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
              for (int64_t vector = 0; vector < 2; ++vector) {
                sums[row][vector] = burin_rt::add_product<8>(
                    sums[row][vector], &weights[row + 6 * depth + 54 * q2],
                    &staged[position + 8 * vector + static_cast<int64_t>(shifts[depth])]);
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
        // Computes output from bias and tile.
        for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
          for (int64_t i2 = q0; i2 < burin_rt::minimum<int64_t>(8, q1 + 2); ++i2) {
            for (int64_t i3 = burin_rt::maximum<int64_t>(0, -10 * i2 + position);
                 i3 < burin_rt::minimum<int64_t>(8, -10 * i2 + position + 16);
                 ++i3) {
              const float t0 = burin_rt::maximum(
                  (tile[16 * i0 + 10 * i2 + i3 - position - 16 * i0_first] + bias[i0]), 0.0f);
              output[64 * i0 + 1536 * i1 + 8 * i2 + i3] = t0;
            }
          }
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
