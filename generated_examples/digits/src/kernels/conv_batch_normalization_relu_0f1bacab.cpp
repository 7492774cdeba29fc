// SPDX-License-Identifier: MIT-0
// contraction: Conv '/separable/depthwise/conv/Conv', BatchNormalization
// '/separable/depthwise/norm/BatchNormalization', Relu '/separable/Relu'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: w_depthwise_conv_Conv_rows[i0, 0, i4, i5, 0] * {0 <= i2
//       + i4 - 1 < 8 && 0 <= i3 + i5 - 1 < 8: in_Relu_output_0[i1, i0, i2 + i4 - 1, i3 + i5 - 1];
//       else 0}
//   out_separable_Relu_output_0[i1, i0, i2, i3] := max((sum0[i0, i1, i2, i3] +
//       w_depthwise_norm_bias_folded[i0]), 0)
//
// w_depthwise_conv_Conv_rows    f32[24, 1, 3, 3, 1] laid out 0 1 2 3 4, constant
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
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void conv_batch_normalization_relu_0f1bacab(
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
  for (int64_t i4 = 0; i4 < 3; ++i4) {
    for (int64_t i5 = 0; i5 < 3; ++i5) {
      shifts[3 * i4 + i5] = static_cast<int32_t>(10 * i4 + i5);
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
        const int64_t q0 = position / 10;
        const int64_t q1 = (position + 1) / 10;
        if (positions < position + 17) {
          alignas(64) float tile[32];
          burin_rt::outlined(tile, [=](float* __restrict tile_array) {
            burin_rt::FloatVector<8> sums_2[1][2];
#pragma GCC unroll 2
            for (int64_t vector_2 = 0; vector_2 < 2; ++vector_2) {
              sums_2[0][vector_2] = burin_rt::broadcast<8>(0.0f);
            }
            for (int64_t depth = 0; depth < 9; ++depth) {
#pragma GCC unroll 2
              for (int64_t vector_2 = 0; vector_2 < 2; ++vector_2) {
                sums_2[0][vector_2] = burin_rt::add_product<8>(sums_2[0][vector_2], &w_depthwise_conv_Conv_rows[9 * i0 + depth], &staged[position + 8 * vector_2 + static_cast<int64_t>(shifts[depth])]);
              }
            }
#pragma GCC unroll 2
            for (int64_t vector_2 = 0; vector_2 < 2; ++vector_2) {
              burin_rt::store(&tile_array[8 * vector_2], sums_2[0][vector_2]);
            }
          });
          for (int64_t i2 = q0; i2 < burin_rt::minimum<int64_t>(8, q1 + 4); ++i2) {
            for (int64_t i3 = burin_rt::maximum<int64_t>(0, -10 * i2 + position); i3 < burin_rt::minimum<int64_t>(8, -10 * i2 + position + 32); ++i3) {
              const float t0 = burin_rt::maximum((tile[10 * i2 + i3 - position] + w_depthwise_norm_bias_folded[i0]), 0.0f);
              out_separable_Relu_output_0[64 * i0 + 1536 * i1 + 8 * i2 + i3] = t0;
            }
          }
        } else {
          alignas(64) float tile[32];
          burin_rt::outlined(tile, [=](float* __restrict tile_array) {
            burin_rt::FloatVector<8> sums[1][4];
#pragma GCC unroll 4
            for (int64_t vector = 0; vector < 4; ++vector) {
              sums[0][vector] = burin_rt::broadcast<8>(0.0f);
            }
            for (int64_t depth = 0; depth < 9; ++depth) {
#pragma GCC unroll 4
              for (int64_t vector = 0; vector < 4; ++vector) {
                sums[0][vector] = burin_rt::add_product<8>(sums[0][vector], &w_depthwise_conv_Conv_rows[9 * i0 + depth], &staged[position + 8 * vector + static_cast<int64_t>(shifts[depth])]);
              }
            }
#pragma GCC unroll 4
            for (int64_t vector = 0; vector < 4; ++vector) {
              burin_rt::store(&tile_array[8 * vector], sums[0][vector]);
            }
          });
          for (int64_t i2 = q0; i2 < burin_rt::minimum<int64_t>(8, q1 + 4); ++i2) {
            for (int64_t i3 = burin_rt::maximum<int64_t>(0, -10 * i2 + position); i3 < burin_rt::minimum<int64_t>(8, -10 * i2 + position + 32); ++i3) {
              const float t1 = burin_rt::maximum((tile[10 * i2 + i3 - position] + w_depthwise_norm_bias_folded[i0]), 0.0f);
              out_separable_Relu_output_0[64 * i0 + 1536 * i1 + 8 * i2 + i3] = t1;
            }
          }
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
