// Conv, BatchNormalization, Relu: contraction
//
//   sum0 = sum i2 i3: (x0[i0, i2, i3] * {0 <= i2 + ((i1 /\x2f 8) % 8) - 1 < 8 && 0 <= i3 + (i1 % 8) - 1 < 8: x1[(i1 /\x2f 64), 0, i2 + ((i1 /\x2f 8) % 8) - 1, i3 + (i1 % 8) - 1]; else 0})
//   y0[(i1 /\x2f 64), i0, ((i1 /\x2f 8) % 8), (i1 % 8)] := max(((sum0[i0, i1] * x2[i0]) + x3[i0]), 0)
//
// tiles of 8 x 4 for 24 x 64*batch x 9
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_relu_48099269(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch) {
  float* const b_panel = reinterpret_cast<float*>(scratch);
  for (int64_t i1_first = 0; i1_first < 64 * n0; i1_first += 4) {
    const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 4, 64 * n0);
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
                t8 = x1[i1 + 8 * i2 + i3 - 9];
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
          for (int64_t lane = i1_end - i1_first; lane < 4; ++lane) to[lane] = 0.0f;
          to += 4;
        }
      }
    }
    for (int64_t i0_first = 0; i0_first < 24; i0_first += 8) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 8, 24);
      float tile[32];
      burin_rt::multiply_tile<8, 1, 4>(x0 + 9 * i0_first, b_panel, 9, tile);
      const int64_t q9 = i1_first / 64;
      const int64_t q10 = i1_first % 64;
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        {
          [[maybe_unused]] int64_t q11 = q9;
          int64_t r12 = q10;
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            const float t13 = burin_rt::maximum(((tile[-4 * i0_first - i1_first + 4 * i0 + i1] * x2[i0]) + x3[i0]), 0.0f);
            y0[64 * i0 + 1536 * q11 + r12] = t13;
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
}

}  // namespace digits_kernels
