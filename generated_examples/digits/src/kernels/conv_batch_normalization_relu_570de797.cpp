// SPDX-License-Identifier: MIT-0
// contraction: Conv '/inverted/depthwise/conv/Conv', BatchNormalization
// '/inverted/depthwise/norm/BatchNormalization', Relu '/inverted/Relu_1'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: w_depthwise_conv_Conv_rows[i0, 0, i4, i5, 0] * {0 <= i2
//       + i4 - 1 < 4 && 0 <= i3 + i5 - 1 < 4: in_inverted_Relu_output_0[i1, i0, i2 + i4 - 1, i3 +
//       i5 - 1]; else 0}
//   out_inverted_Relu_1_output_0[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] +
//       w_depthwise_norm_bias_folded[i0]), 0)
//
// w_depthwise_conv_Conv_rows    f32[96, 1, 3, 3, 1] laid out 0 1 2 3 4, constant
//                               '/inverted/depthwise/conv/Conv_rows'
// in_inverted_Relu_output_0     f32[batch, 96, 4, 4], tensor '/inverted/Relu_output_0'
// w_depthwise_norm_bias_folded  f32[96], constant 'inverted.depthwise.norm.bias_folded'
// out_inverted_Relu_1_output_0  f32[batch, 96, 4, 4], tensor '/inverted/Relu_1_output_0'
// n0                            batch
//
// tiles of 1 x 24 for 1 x 16*batch x 9, read through a window; threads share i0
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_relu_570de797(
    const float* __restrict w_depthwise_conv_Conv_rows,
    const float* __restrict in_inverted_Relu_output_0,
    const float* __restrict w_depthwise_norm_bias_folded,
    float* __restrict out_inverted_Relu_1_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  int32_t* const shifts = reinterpret_cast<int32_t*>(scratch);
  float* const staged = reinterpret_cast<float*>(scratch + 64);
  for (int64_t i4 = 0; i4 < 3; ++i4) {
    for (int64_t i5 = 0; i5 < 3; ++i5) {
      shifts[3 * i4 + i5] = static_cast<int32_t>(6 * i4 + i5);
    }
  }
  for (int64_t i0 = first; i0 < last; ++i0) {
    for (int64_t i1 = 0; i1 < n0; ++i1) {
      for (int64_t i6 = 0; i6 < 1; ++i6) {
        for (int64_t i7 = 0; i7 < 6; ++i7) {
          staged[6 * i6 + i7] = 0.0f;
        }
      }
      for (int64_t i6 = 1; i6 < 5; ++i6) {
        for (int64_t i7 = 0; i7 < 1; ++i7) {
          staged[6 * i6 + i7] = 0.0f;
        }
        for (int64_t i7 = 1; i7 < 5; ++i7) {
          staged[6 * i6 + i7] = in_inverted_Relu_output_0[16 * i0 + 1536 * i1 + 4 * i6 + i7 - 5];
        }
        for (int64_t i7 = 5; i7 < 6; ++i7) {
          staged[6 * i6 + i7] = 0.0f;
        }
      }
      for (int64_t i6 = 5; i6 < 6; ++i6) {
        for (int64_t i7 = 0; i7 < 6; ++i7) {
          staged[6 * i6 + i7] = 0.0f;
        }
      }
      const int64_t positions = 22;
      for (int64_t position = 0; position < positions; position += 24) {
        const int64_t q0 = position / 6;
        alignas(64) float tile[24];
        burin_rt::outlined(tile, [=](float* __restrict tile_array) {
          burin_rt::FloatVector<8> sums[1][3];
#pragma GCC unroll 3
          for (int64_t vector = 0; vector < 3; ++vector) {
            sums[0][vector] = burin_rt::broadcast<8>(0.0f);
          }
          for (int64_t depth = 0; depth < 9; ++depth) {
#pragma GCC unroll 3
            for (int64_t vector = 0; vector < 3; ++vector) {
              sums[0][vector] = burin_rt::add_product<8>(sums[0][vector], &w_depthwise_conv_Conv_rows[9 * i0 + depth], &staged[position + 8 * vector + static_cast<int64_t>(shifts[depth])]);
            }
          }
#pragma GCC unroll 3
          for (int64_t vector = 0; vector < 3; ++vector) {
            burin_rt::store(&tile_array[8 * vector], sums[0][vector]);
          }
        });
        for (int64_t i2 = q0; i2 < 4; ++i2) {
          for (int64_t i3 = burin_rt::maximum<int64_t>(0, -6 * i2 + position); i3 < 4; ++i3) {
            out_inverted_Relu_1_output_0[16 * i0 + 1536 * i1 + 4 * i2 + i3] = burin_rt::maximum((tile[6 * i2 + i3 - position] + w_depthwise_norm_bias_folded[i0]), 0.0f);
          }
        }
      }
    }
  }
}

}  // namespace digits_kernels
