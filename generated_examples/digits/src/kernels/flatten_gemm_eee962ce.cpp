// Flatten, Gemm: contraction
//
//   sum0 = sum i2: (x0[i0, i2, 0, 0] * x1[i1, i2])
//   y0[i0, i1] := (sum0[i0, i1] + x2[i1])
//
// tiles of 8 x 4 for batch x 10 x 48
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void flatten_gemm_eee962ce(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch) {
  float* const a_panels = reinterpret_cast<float*>(scratch);
  for (int64_t i0_first = 0; i0_first < n0; i0_first += 8) {
    const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 8, n0);
    float* to = a_panels + 48 * i0_first;
    for (int64_t i2 = 0; i2 < 48; ++i2) {
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        to[i0 - i0_first] = x0[48 * i0 + i2];
      }
      for (int64_t lane = i0_end - i0_first; lane < 8; ++lane) to[lane] = 0.0f;
      to += 8;
    }
  }
  for (int64_t i1_first = 0; i1_first < 10; i1_first += 4) {
    const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 4, 10);
    for (int64_t i0_first = 0; i0_first < n0; i0_first += 8) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 8, n0);
      float tile[32];
      burin_rt::multiply_tile<8, 1, 4>(a_panels + 48 * i0_first, x1 + 48 * i1_first, 48, tile);
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
          y0[10 * i0 + i1] = tile[-4 * i0_first - i1_first + 4 * i0 + i1] + x2[i1];
        }
      }
    }
  }
}

}  // namespace digits_kernels
