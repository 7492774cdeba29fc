// Conv, BatchNormalization, Add: contraction
//
//   sum0 = sum i2: (x0[i0, i2] * x1[(i1 /\x2f 16), i2, ((i1 /\x2f 4) % 4), (i1 % 4)])
//   y0[(i1 /\x2f 16), i0, ((i1 /\x2f 4) % 4), (i1 % 4)] := (x2[(i1 /\x2f 16), i0, ((i1 /\x2f 4) % 4), (i1 % 4)] + ((sum0[i0, i1] * x3[i0]) + x4[i0]))
//
// tiles of 8 x 4 for 48 x 16*batch x 96
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_add_43220948(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, const float* __restrict x4, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch) {
  float* const b_panel = reinterpret_cast<float*>(scratch);
  for (int64_t i1_first = 0; i1_first < 16 * n0; i1_first += 4) {
    const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 4, 16 * n0);
    {
      float* to = b_panel;
      const int64_t q0 = i1_first / 16;
      const int64_t q1 = i1_first % 16;
      for (int64_t i2 = 0; i2 < 96; ++i2) {
        {
          [[maybe_unused]] int64_t q2 = q0;
          int64_t r3 = q1;
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            to[i1 - i1_first] = x1[16 * i2 + 1536 * q2 + r3];
            r3 += 1;
            if (r3 >= 16) {
              r3 -= 16;
              ++q2;
            }
          }
        }
        for (int64_t lane = i1_end - i1_first; lane < 4; ++lane) to[lane] = 0.0f;
        to += 4;
      }
    }
    for (int64_t i0_first = 0; i0_first < 48; i0_first += 8) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 8, 48);
      float tile[32];
      burin_rt::multiply_tile<8, 1, 4>(x0 + 96 * i0_first, b_panel, 96, tile);
      const int64_t q4 = i1_first / 16;
      const int64_t q5 = i1_first % 16;
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        {
          [[maybe_unused]] int64_t q6 = q4;
          int64_t r7 = q5;
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            const float t8 = x2[16 * i0 + 768 * q6 + r7] + ((tile[-4 * i0_first - i1_first + 4 * i0 + i1] * x3[i0]) + x4[i0]);
            y0[16 * i0 + 768 * q6 + r7] = t8;
            r7 += 1;
            if (r7 >= 16) {
              r7 -= 16;
              ++q6;
            }
          }
        }
      }
    }
  }
}

}  // namespace digits_kernels
