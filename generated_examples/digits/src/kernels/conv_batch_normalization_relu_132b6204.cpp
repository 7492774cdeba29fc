// SPDX-License-Identifier: MIT-0
// contraction: Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu '/Relu_1'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5 i6: weights[(i0 div 4), i4, i5, i6, (i0 mod 4)] * {0 <= 2*i2 + i5 - 1 < 8 &&
//       0 <= 2*i3 + i6 - 1 < 8: input[i1, i4, 2*i2 + i5 - 1, 2*i3 + i6 - 1]; else 0}
//   output[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] + bias[i0]), 0)
//
// weights  f32[12, 24, 3, 3, 4], strides [864, 36, 12, 4, 1], constant '/down/conv/Conv_rows'
// input    f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// bias     f32[48], constant 'down.norm.bias_folded'
// output   f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// n0       batch
//
// tiles of 4 x 24 for 48 x 16*batch x 216, read through a window; threads share i1
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/outlined.h"
#include "../rt/prefetch.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_relu_132b6204(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  int32_t* const shifts = reinterpret_cast<int32_t*>(scratch);
  float* const staged = reinterpret_cast<float*>(scratch + 896);
  // Computes shifts.
  for (int64_t i4 = 0; i4 < 24; ++i4) {
    for (int64_t i5 = 0; i5 < 3; ++i5) {
      const int64_t q0 = i5 / 2;
      const int64_t q1 = i5 % 2;
      [[maybe_unused]] int64_t q2 = 0;
      int64_t r3 = 0;
      for (int64_t i6 = 0; i6 < 3; ++i6) {
        shifts[9 * i4 + 3 * i5 + i6] = static_cast<int32_t>(100 * i4 + 5 * q0 + q2 + 50 * q1 + 25 * r3);
        r3 += 1;
        if (r3 >= 2) {
          r3 -= 2;
          ++q2;
        }
      }
    }
  }
  // Sets staged to a constant.
  for (int64_t behind = 0; behind < 24; ++behind) {
    staged[behind + 2400] = 0.0f;
  }
  // Sets staged to a constant.
  for (int64_t i4 = 0; i4 < 24; ++i4) {
    for (int64_t i10 = 0; i10 < 5; ++i10) {
      staged[100 * i4 + i10] = 0.0f;
    }
    for (int64_t i9 = 1; i9 < 5; ++i9) {
      staged[100 * i4 + 5 * i9] = 0.0f;
    }
    for (int64_t i10 = 0; i10 < 5; ++i10) {
      staged[100 * i4 + i10 + 25] = 0.0f;
    }
    for (int64_t i9 = 1; i9 < 5; ++i9) {
      staged[100 * i4 + 5 * i9 + 29] = 0.0f;
    }
    for (int64_t i9 = 0; i9 < 4; ++i9) {
      staged[100 * i4 + 5 * i9 + 50] = 0.0f;
    }
    for (int64_t i10 = 0; i10 < 5; ++i10) {
      staged[100 * i4 + i10 + 70] = 0.0f;
    }
    for (int64_t i9 = 0; i9 < 4; ++i9) {
      staged[100 * i4 + 5 * i9 + 79] = 0.0f;
    }
    for (int64_t i10 = 0; i10 < 5; ++i10) {
      staged[100 * i4 + i10 + 95] = 0.0f;
    }
  }
  // Computes output and staged from weights, input, bias and shifts.
  for (int64_t i1 = first; i1 < last; ++i1) {
    // Copies input to staged.
    for (int64_t i4 = 0; i4 < 24; ++i4) {
      for (int64_t i9 = 1; i9 < 5; ++i9) {
        for (int64_t i10 = 1; i10 < 5; ++i10) {
          staged[100 * i4 + 5 * i9 + i10] = input[1536 * i1 + 64 * i4 + 16 * i9 + 2 * i10 - 9];
        }
      }
      for (int64_t i9 = 1; i9 < 5; ++i9) {
        for (int64_t i10 = 0; i10 < 4; ++i10) {
          staged[100 * i4 + 5 * i9 + i10 + 25] = input[1536 * i1 + 64 * i4 + 16 * i9 + 2 * i10 - 8];
        }
      }
      for (int64_t i9 = 0; i9 < 4; ++i9) {
        for (int64_t i10 = 1; i10 < 5; ++i10) {
          staged[100 * i4 + 5 * i9 + i10 + 50] = input[1536 * i1 + 64 * i4 + 16 * i9 + 2 * i10 - 1];
        }
      }
      for (int64_t i9 = 0; i9 < 4; ++i9) {
        for (int64_t i10 = 0; i10 < 4; ++i10) {
          staged[100 * i4 + 5 * i9 + i10 + 75] = input[1536 * i1 + 64 * i4 + 16 * i9 + 2 * i10];
        }
      }
    }
    // Computes output from weights, bias, shifts and staged.
    for (int64_t i0_first = 0; i0_first < 48; i0_first += 4) {
      const int64_t q4 = i0_first / 4;
      const int64_t i0_end = burin_rt::minimum<int64_t>(48, i0_first + 4);
      alignas(64) float tile[96];
      // Computes tile from weights, shifts and staged.
      burin_rt::outlined(tile, [=](float* __restrict tile_array) {
        burin_rt::FloatVector<8> sums[4][3];
        // Sets sums to a constant.
#pragma GCC unroll 4
        for (int64_t row = 0; row < 4; ++row) {
#pragma GCC unroll 3
          for (int64_t vector = 0; vector < 3; ++vector) {
            sums[row][vector] = burin_rt::broadcast<8>(0.0f);
          }
        }
        // Adds products of weights, shifts and staged to sums.
        for (int64_t depth = 0; depth < 216; ++depth) {
          burin_rt::prefetch(&weights[4 * depth + 864 * q4], 1424);
#pragma GCC unroll 4
          for (int64_t row = 0; row < 4; ++row) {
#pragma GCC unroll 3
            for (int64_t vector = 0; vector < 3; ++vector) {
              sums[row][vector] = burin_rt::add_product<8>(
                  sums[row][vector], &weights[row + 4 * depth + 864 * q4],
                  &staged[8 * vector + static_cast<int64_t>(shifts[depth])]);
            }
          }
        }
        // Copies sums to tile_array.
#pragma GCC unroll 4
        for (int64_t row = 0; row < 4; ++row) {
#pragma GCC unroll 3
          for (int64_t vector = 0; vector < 3; ++vector) {
            burin_rt::store(&tile_array[24 * row + 8 * vector], sums[row][vector]);
          }
        }
      });
      // Computes output from bias and tile.
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        for (int64_t i2 = 0; i2 < 4; ++i2) {
          for (int64_t i3 = 0; i3 < 4; ++i3) {
            output[16 * i0 + 768 * i1 + 4 * i2 + i3] = burin_rt::maximum(
                (tile[24 * i0 + 5 * i2 + i3 - 24 * i0_first] + bias[i0]), 0.0f);
          }
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
