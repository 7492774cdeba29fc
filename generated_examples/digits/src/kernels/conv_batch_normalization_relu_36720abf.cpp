// contraction: Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu
// '/Relu_1'
//
//   sum0[i0, i1] = sum over i2 i3 i4: w_down_conv_Conv_rows[i0, i2, i3, i4] * {0 <= i3 + 2*((i1 div
//       4) mod 4) - 1 < 8 && 0 <= i4 + 2*(i1 mod 4) - 1 < 8: in_separable_Relu_1_output_0[(i1 div
//       16), i2, i3 + 2*((i1 div 4) mod 4) - 1, i4 + 2*(i1 mod 4) - 1]; else 0}
//   out_Relu_1_output_0[i1 div 16, i0, (i1 div 4) mod 4, i1 mod 4] := max(((sum0[i0, i1] *
//       w_down_conv_Conv_constant[i0]) + w_down_conv_Conv_constant_1[i0]), 0)
//
// w_down_conv_Conv_rows         f32[48, 24, 3, 3] laid out 0/6 1 2 3 [6], constant
//                               '/down/conv/Conv_rows'
// in_separable_Relu_1_output_0  f32[batch, 24, 8, 8], tensor '/separable/Relu_1_output_0'
// w_down_conv_Conv_constant     f32[48], constant '/down/conv/Conv_constant'
// w_down_conv_Conv_constant_1   f32[48], constant '/down/conv/Conv_constant_1'
// out_Relu_1_output_0           f32[batch, 48, 4, 4], tensor '/Relu_1_output_0'
// n0                            batch
//
// tiles of 6 x 16 for 48 x 16*batch x 216; threads share i1
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_relu_36720abf(
    const float* __restrict w_down_conv_Conv_rows,
    const float* __restrict in_separable_Relu_1_output_0,
    const float* __restrict w_down_conv_Conv_constant,
    const float* __restrict w_down_conv_Conv_constant_1,
    float* __restrict out_Relu_1_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const b_panel = reinterpret_cast<float*>(scratch);
  for (int64_t i1_first = first; i1_first < last; i1_first += 16) {
    const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 16, last);
    {
      float* to = b_panel;
      const int64_t q0 = i1_first / 4;
      const int64_t q1 = i1_first % 4;
      const int64_t q2 = i1_first / 16;
      const int64_t q3 = q0 % 4;
      for (int64_t i2 = 0; i2 < 24; ++i2) {
        for (int64_t i3 = 0; i3 < 3; ++i3) {
          for (int64_t i4 = 0; i4 < 3; ++i4) {
            {
              [[maybe_unused]] int64_t q4 = q0;
              int64_t r5 = q1;
              [[maybe_unused]] int64_t q6 = q2;
              int64_t r7 = q3;
              for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                float t8 = 0.0f;
                if (i3 + 2 * r7 - 1 >= 0 && i4 + 2 * r5 - 1 >= 0) {
                  t8 = in_separable_Relu_1_output_0[64 * i2 + 8 * i3 + i4 + 1536 * q6 + 2 * r5 + 16 * r7 - 9];
                }
                to[i1 - i1_first] = t8;
                (void)q4;
                r5 += 1;
                if (r5 >= 4) {
                  r5 -= 4;
                  ++q4;
                  r7 += 1;
                  if (r7 >= 4) {
                    r7 -= 4;
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
    }
    for (int64_t i0_first = 0; i0_first < 48; i0_first += 6) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 6, 48);
      float tile[96];
      burin_rt::multiply_tile<6, 2, 8>(w_down_conv_Conv_rows + 216 * i0_first, b_panel, 216, tile);
      const int64_t q9 = i1_first / 16;
      const int64_t q10 = i1_first % 16;
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        {
          [[maybe_unused]] int64_t q11 = q9;
          int64_t r12 = q10;
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            const float t13 = (tile[-16 * i0_first - i1_first + 16 * i0 + i1] * w_down_conv_Conv_constant[i0]) + w_down_conv_Conv_constant_1[i0];
            out_Relu_1_output_0[16 * i0 + 768 * q11 + r12] = burin_rt::maximum(t13, 0.0f);
            r12 += 1;
            if (r12 >= 16) {
              r12 -= 16;
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
