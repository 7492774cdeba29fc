// contraction: Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu
// '/Relu'
//
//   sum0[i0, i1] = sum over i2 i3: w_stem_conv_Conv_rows[i0, i2, i3] * {0 <= i2 + ((i1 div 8) mod
//       8) - 1 < 8 && 0 <= i3 + (i1 mod 8) - 1 < 8: in_image[(i1 div 64), 0, i2 + ((i1 div 8) mod
//       8) - 1, i3 + (i1 mod 8) - 1]; else 0}
//   out_Relu_output_0[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] := max(((sum0[i0, i1] *
//       w_stem_conv_Conv_constant[i0]) + w_stem_conv_Conv_constant_1[i0]), 0)
//
// w_stem_conv_Conv_rows        f32[24, 3, 3] laid out 0/6 1 2 [6], constant '/stem/conv/Conv_rows'
// in_image                     f32[batch, 1, 8, 8], input of the network 'image'
// w_stem_conv_Conv_constant    f32[24], constant '/stem/conv/Conv_constant'
// w_stem_conv_Conv_constant_1  f32[24], constant '/stem/conv/Conv_constant_1'
// out_Relu_output_0            f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// n0                           batch
//
// tiles of 6 x 16 for 24 x 64*batch x 9; threads share i1
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_relu_2c7833c7(
    const float* __restrict w_stem_conv_Conv_rows,
    const float* __restrict in_image,
    const float* __restrict w_stem_conv_Conv_constant,
    const float* __restrict w_stem_conv_Conv_constant_1,
    float* __restrict out_Relu_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const b_panel = reinterpret_cast<float*>(scratch);
  for (int64_t i1_first = first; i1_first < last; i1_first += 16) {
    const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 16, last);
    {
      float* to = b_panel;
      const int64_t q0 = i1_first / 8;
      const int64_t q1 = i1_first % 8;
      const int64_t q2 = i1_first / 64;
      const int64_t q3 = q0 % 8;
      for (int64_t i2 = 0; i2 < 3; ++i2) {
        for (int64_t i3 = 0; i3 < 3; ++i3) {
          {
            [[maybe_unused]] int64_t q4 = q0;
            int64_t r5 = q1;
            [[maybe_unused]] int64_t q6 = q2;
            int64_t r7 = q3;
            for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
              float t8 = 0.0f;
              if (i2 + r7 - 1 >= 0 && i2 + r7 - 1 < 8 && i3 + r5 - 1 >= 0 && i3 + r5 - 1 < 8) {
                t8 = in_image[i1 + 8 * i2 + i3 - 9];
              }
              to[i1 - i1_first] = t8;
              (void)q4;
              (void)q6;
              r5 += 1;
              if (r5 >= 8) {
                r5 -= 8;
                ++q4;
                r7 += 1;
                if (r7 >= 8) {
                  r7 -= 8;
                  ++q6;
                }
              }
            }
          }
          for (int64_t lane = i1_end - i1_first; lane < 16; ++lane) to[lane] = 0.0f;
          to += 16;
        }
      }
    }
    for (int64_t i0_first = 0; i0_first < 24; i0_first += 6) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 6, 24);
      float tile[96];
      burin_rt::multiply_tile<6, 2, 8>(w_stem_conv_Conv_rows + 9 * i0_first, b_panel, 9, tile);
      const int64_t q9 = i1_first / 64;
      const int64_t q10 = i1_first % 64;
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        {
          [[maybe_unused]] int64_t q11 = q9;
          int64_t r12 = q10;
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            const float t13 = (tile[-16 * i0_first - i1_first + 16 * i0 + i1] * w_stem_conv_Conv_constant[i0]) + w_stem_conv_Conv_constant_1[i0];
            out_Relu_output_0[64 * i0 + 1536 * q11 + r12] = burin_rt::maximum(t13, 0.0f);
            r12 += 1;
            if (r12 >= 64) {
              r12 -= 64;
              ++q11;
            }
          }
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
