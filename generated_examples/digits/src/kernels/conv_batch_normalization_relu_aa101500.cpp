// SPDX-License-Identifier: MIT-0
// contraction: Conv '/separable/depthwise/conv/Conv', BatchNormalization
// '/separable/depthwise/norm/BatchNormalization', Relu '/separable/Relu'
//   Conv: dilations=[1, 1], group=24, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: weights[i0, 0, i4, i5, 0] * {0 <= i2 + i4 - 1 < 8 && 0 <= i3 + i5 - 1 < 8:
//       input[i1, i0, i2 + i4 - 1, i3 + i5 - 1]; else 0}
//   output[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] + bias[i0]), 0)
//
// weights  f32[24, 1, 3, 3, 1], strides [9, 9, 3, 1, 1], constant '/separable/depthwise/conv/Conv_rows'
// input    f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// bias     f32[24], constant 'separable.depthwise.norm.bias_folded'
// output   f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// n0       batch
//
// tiles of 8 rows x 8 columns of the plane for 1 x 64*batch x 9, read through a window; threads share i1
#include "../kernels.h"
#include "../rt/lanes.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_relu_aa101500(
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
  // Computes output and staged from weights, input and bias.
  for (int64_t i0 = 0; i0 < 24; ++i0) {
    for (int64_t i1 = first; i1 < last; ++i1) {
      // Copies input to staged.
      for (int64_t i6 = 1; i6 < 9; ++i6) {
        for (int64_t i7 = 1; i7 < 9; ++i7) {
          staged[10 * i6 + i7] = input[64 * i0 + 1536 * i1 + 8 * i6 + i7 - 9];
        }
      }
      // Computes output from weights, bias and staged.
      burin_rt::outlined([=]() {
        burin_rt::FloatVector<8> sums[8][1];
        // Sets sums to a constant.
#pragma GCC unroll 8
        for (int64_t row = 0; row < 8; ++row) {
          sums[row][0] = burin_rt::broadcast<8>(0.0f);
        }
        // Adds products of weights and staged to sums.
#pragma GCC unroll 9
        for (int64_t depth = 0; depth < 9; ++depth) {
          const int64_t q0 = depth / 3;
          const int64_t q1 = depth % 3;
#pragma GCC unroll 8
          for (int64_t row = 0; row < 8; ++row) {
            sums[row][0] = burin_rt::add_product<8>(
                sums[row][0], &weights[9 * i0 + depth], &staged[10 * row + 10 * q0 + q1]);
          }
        }
        // Computes output from bias and sums.
#pragma GCC unroll 8
        for (int64_t row = 0; row < 8; ++row) {
          const burin_rt::FloatVector<8> t0 = burin_rt::greatest(
              (sums[row][0] + burin_rt::broadcast<8>(bias[i0])), burin_rt::broadcast<8>(0.0f));
          burin_rt::store(&output[64 * i0 + 1536 * i1 + 8 * row], t0);
        }
      });
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
