// Conv, BatchNormalization, Relu: reduction
//
//   sum0 = sum i4 i5: ({0 <= i2 + i4 - 1 < 8 && 0 <= i3 + i5 - 1 < 8: x0[i0, i1, i2 + i4 - 1, i3 + i5 - 1]; else 0} * x1[i1, 0, i4, i5])
//   y0[i0, i1, i2, i3] := max(((sum0[i0, i1, i2, i3] * x2[i1]) + x3[i1]), 0)
//
// generic loops in the order of the axes
#include "../kernels.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_relu_e5ef14e9(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0) {
  for (int64_t i0 = 0; i0 < n0; ++i0) {
    for (int64_t i1 = 0; i1 < 24; ++i1) {
      for (int64_t i2 = 0; i2 < 8; ++i2) {
        for (int64_t i3 = 0; i3 < 8; ++i3) {
          float sum0 = 0.0f;
          for (int64_t i4 = burin_rt::maximum<int64_t>(0, -i2 + 1); i4 < burin_rt::minimum<int64_t>(3, -i2 + 9); ++i4) {
            for (int64_t i5 = burin_rt::maximum<int64_t>(0, -i3 + 1); i5 < burin_rt::minimum<int64_t>(3, -i3 + 9); ++i5) {
              sum0 += (x0[1536 * i0 + 64 * i1 + 8 * i2 + i3 + 8 * i4 + i5 - 9] * x1[9 * i1 + 3 * i4 + i5]);
            }
          }
          y0[1536 * i0 + 64 * i1 + 8 * i2 + i3] = burin_rt::maximum(((sum0 * x2[i1]) + x3[i1]), 0.0f);
        }
      }
    }
  }
}

}  // namespace digits_kernels
