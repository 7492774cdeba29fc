// GlobalAveragePool: reduction
//
//   sum0 = sum i2 i3: x0[i0, i1, i2, i3]
//   y0[i0, i1, 0, 0] := (sum0[i0, i1] / 16)
//
// generic loops in the order of the axes
#include "../kernels.h"

namespace digits_kernels {

void global_average_pool_b6c07124(const float* __restrict x0, float* __restrict y0, const int64_t n0) {
  for (int64_t i0 = 0; i0 < n0; ++i0) {
    for (int64_t i1 = 0; i1 < 48; ++i1) {
      float sum0 = 0.0f;
      for (int64_t i2 = 0; i2 < 4; ++i2) {
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          sum0 += x0[768 * i0 + 16 * i1 + 4 * i2 + i3];
        }
      }
      y0[48 * i0 + i1] = sum0 / 16.0f;
    }
  }
}

}  // namespace digits_kernels
