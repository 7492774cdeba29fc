// SPDX-License-Identifier: MIT-0
// contraction: Conv '/separable/depthwise/conv/Conv', BatchNormalization
// '/separable/depthwise/norm/BatchNormalization', Relu '/separable/Relu'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: w_depthwise_conv_Conv_rows[i0, 0, i4, i5] * {0 <= i2 +
//       i4 - 1 < 8 && 0 <= i3 + i5 - 1 < 8: in_Relu_output_0[i1, i0, i2 + i4 - 1, i3 + i5 - 1];
//       else 0}
//   out_separable_Relu_output_0[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] +
//       w_depthwise_norm_bias_folded[i0]), 0)
//
// w_depthwise_conv_Conv_rows    f32[24, 1, 3, 3] laid out 0 1 2 3 [1], constant
//                               '/separable/depthwise/conv/Conv_rows'
// in_Relu_output_0              f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// w_depthwise_norm_bias_folded  f32[24], constant 'separable.depthwise.norm.bias_folded'
// out_separable_Relu_output_0   f32[batch, 24, 8, 8], tensor '/separable/Relu_output_0'
// n0                            batch
//
// tiles of 1 x 32 for 1 x 64*batch x 9; of 16 for the last columns, read through a window; threads
// share i1
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/window.h"

namespace digits_kernels {

void conv_batch_normalization_relu_a9cfd6da(
    const float* __restrict w_depthwise_conv_Conv_rows,
    const float* __restrict in_Relu_output_0,
    const float* __restrict w_depthwise_norm_bias_folded,
    float* __restrict out_separable_Relu_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  int32_t* const shifts = reinterpret_cast<int32_t*>(scratch);
  float* const staged = reinterpret_cast<float*>(scratch + 64);
  {
    int32_t* shift = shifts;
    for (int64_t i4 = 0; i4 < 3; ++i4) {
      for (int64_t i5 = 0; i5 < 3; ++i5) {
        *shift++ = static_cast<int32_t>(10 * i4 + i5);
      }
    }
  }
  for (int64_t i0 = 0; i0 < 24; ++i0) {
    for (int64_t i1 = first; i1 < last; ++i1) {
      for (int64_t i6 = 0; i6 < 1; ++i6) {
        for (int64_t i7 = 0; i7 < 10; ++i7) {
          staged[10 * i6 + i7] = 0.0f;
        }
      }
      for (int64_t i6 = 1; i6 < 9; ++i6) {
        for (int64_t i7 = 0; i7 < 1; ++i7) {
          staged[10 * i6 + i7] = 0.0f;
        }
        for (int64_t i7 = 1; i7 < 9; ++i7) {
          staged[10 * i6 + i7] = in_Relu_output_0[64 * i0 + 1536 * i1 + 8 * i6 + i7 - 9];
        }
        for (int64_t i7 = 9; i7 < 10; ++i7) {
          staged[10 * i6 + i7] = 0.0f;
        }
      }
      for (int64_t i6 = 9; i6 < 10; ++i6) {
        for (int64_t i7 = 0; i7 < 10; ++i7) {
          staged[10 * i6 + i7] = 0.0f;
        }
      }
      const int64_t positions = 78;
      for (int64_t position = 0; position < positions; position += 32) {
        {
          float tile[1][32];
          if (positions - position <= 16) {
            burin_rt::multiply_shifted<1, 2, 8>(w_depthwise_conv_Conv_rows + 9 * i0, staged + position, shifts, 9, tile);
          } else {
            burin_rt::multiply_shifted<1, 4, 8>(w_depthwise_conv_Conv_rows + 9 * i0, staged + position, shifts, 9, tile);
          }
          const int64_t q0 = position / 10;
          const int64_t q1 = (position + 1) / 10;
          for (int64_t i2 = q0; i2 < burin_rt::minimum<int64_t>(8, q1 + 4); ++i2) {
            for (int64_t i3 = burin_rt::maximum<int64_t>(0, position - 10 * i2); i3 < burin_rt::minimum<int64_t>(8, position - 10 * i2 + 32); ++i3) {
              const float t2 = burin_rt::maximum((tile[0][-position + 10 * i2 + i3] + w_depthwise_norm_bias_folded[i0]), 0.0f);
              out_separable_Relu_output_0[64 * i0 + 1536 * i1 + 8 * i2 + i3] = t2;
            }
          }
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
