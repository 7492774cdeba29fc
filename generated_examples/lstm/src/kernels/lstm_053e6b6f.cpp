// LSTM: contraction
//
//   sum0 = sum i2: (x0[(i0 /\x2f n0), (i0 % n0), i2] * x1[i1, i2])
//   y0[(i1 /\x2f 16), (i0 /\x2f n0), (i0 % n0), (i1 % 16)] := (sum0[i0, i1] + x2[(i1 /\x2f 16), (i1 % 16)])
//
// tiles of 8 x 4 for batch*seq x 32 x 5
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace lstm_kernels {

void lstm_053e6b6f(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, float* __restrict y0, const int64_t n0, const int64_t n1, uint8_t* __restrict scratch) {
  float* const a_panels = reinterpret_cast<float*>(scratch);
  for (int64_t i0_first = 0; i0_first < n0 * n1; i0_first += 8) {
    const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 8, n0 * n1);
    float* to = a_panels + 5 * i0_first;
    for (int64_t i2 = 0; i2 < 5; ++i2) {
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        to[i0 - i0_first] = x0[5 * i0 + i2];
      }
      for (int64_t lane = i0_end - i0_first; lane < 8; ++lane) to[lane] = 0.0f;
      to += 8;
    }
  }
  for (int64_t i1_first = 0; i1_first < 32; i1_first += 4) {
    const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 4, 32);
    for (int64_t i0_first = 0; i0_first < n0 * n1; i0_first += 8) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 8, n0 * n1);
      float tile[32];
      burin_rt::multiply_tile<8, 1, 4>(a_panels + 5 * i0_first, x1 + 5 * i1_first, 5, tile);
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        {
          [[maybe_unused]] int64_t q0 = (i1_first) / (16);
          int64_t r1 = (i1_first) % (16);
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            y0[16 * n0 * n1 * q0 + 16 * i0 + r1] = tile[-4 * i0_first - i1_first + 4 * i0 + i1] + x2[i1];
            r1 += 1;
            if (r1 >= 16) {
              r1 -= 16;
              ++q0;
            }
          }
        }
      }
    }
  }
}

}  // namespace lstm_kernels
