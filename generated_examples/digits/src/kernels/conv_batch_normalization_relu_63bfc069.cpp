// SPDX-License-Identifier: MIT-0
// contraction: Conv '/inverted/depthwise/conv/Conv', BatchNormalization '/inverted/depthwise/norm/BatchNormalization',
// Relu '/inverted/Relu_1'
//   Conv: dilations=[1, 1], group=96, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: weights[i0, 0, i4, i5, 0] * {0 <= i2 + i4 - 1 < 4 && 0 <= i3 + i5 - 1 < 4:
//       input[i1, i0, i2 + i4 - 1, i3 + i5 - 1]; else 0}
//   output[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] + bias[i0]), 0)
//
// weights  f32[96, 1, 3, 3, 1], strides [9, 9, 3, 1, 1], constant '/inverted/depthwise/conv/Conv_rows'
// input    f32[batch, 96, 4, 4], strides [1536, 16, 4, 1]
// bias     f32[96], constant 'inverted.depthwise.norm.bias_folded'
// output   f32[batch, 96, 4, 4], strides [1536, 16, 4, 1]
// n0       batch
//
// tiles of 4 rows x 4 columns of the plane for 1 x 16*batch x 9, read through a window; threads share i0
#include "../kernels.h"
#include "../rt/lanes.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_relu_63bfc069(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const staged = reinterpret_cast<float*>(scratch);
  // Sets staged to a constant.
  for (int64_t i7 = 0; i7 < 6; ++i7) {
    staged[i7] = 0.0f;
  }
  // Sets staged to a constant.
  for (int64_t i6 = 1; i6 < 5; ++i6) {
    staged[6 * i6] = 0.0f;
    staged[6 * i6 + 5] = 0.0f;
  }
  // Sets staged to a constant.
  for (int64_t i7 = 0; i7 < 6; ++i7) {
    staged[i7 + 30] = 0.0f;
  }
  // Computes output and staged from weights, input and bias.
  for (int64_t i0 = first; i0 < last; ++i0) {
    for (int64_t i1 = 0; i1 < n0; ++i1) {
      // Copies input to staged.
      for (int64_t i6 = 1; i6 < 5; ++i6) {
        for (int64_t i7 = 1; i7 < 5; ++i7) {
          staged[6 * i6 + i7] = input[16 * i0 + 1536 * i1 + 4 * i6 + i7 - 5];
        }
      }
      // Computes output from weights, bias and staged.
      burin_rt::outlined([=]() {
        burin_rt::FloatVector<4> sums[4][1];
        // Sets sums to a constant.
#pragma GCC unroll 4
        for (int64_t row = 0; row < 4; ++row) {
          sums[row][0] = burin_rt::broadcast<4>(0.0f);
        }
        // Adds products of weights and staged to sums.
#pragma GCC unroll 9
        for (int64_t depth = 0; depth < 9; ++depth) {
          const int64_t q0 = depth / 3;
          const int64_t q1 = depth % 3;
#pragma GCC unroll 4
          for (int64_t row = 0; row < 4; ++row) {
            sums[row][0] = burin_rt::add_product<4>(
                sums[row][0], &weights[9 * i0 + depth], &staged[6 * row + 6 * q0 + q1]);
          }
        }
        // Computes output from bias and sums.
#pragma GCC unroll 4
        for (int64_t row = 0; row < 4; ++row) {
          const burin_rt::FloatVector<4> t0 = burin_rt::greatest(
              (sums[row][0] + burin_rt::broadcast<4>(bias[i0])), burin_rt::broadcast<4>(0.0f));
          burin_rt::store(&output[16 * i0 + 1536 * i1 + 4 * row], t0);
        }
      });
    }
  }
}

}  // namespace digits_kernels
