// Softmax: row
//
//   greatest0 = max i2: x0[i0, i1, i2]
//   sum1 = sum i2: exp((x0[i0, i1, i2] - greatest0[i0, i1]))
//   y0[i0, i1, i2] := (exp((x0[i0, i1, i2] - greatest0[i0, i1])) / sum1[i0, i1])
//
// generic loops in the order of the axes
#include "../kernels.h"
#include "../rt/bits.h"
#include "../rt/elementary.h"
#include "../rt/exp.h"

namespace softmax_sym_kernels {

void softmax_43bdc807(const float* __restrict x0, float* __restrict y0, const int64_t n0, const int64_t n1, const int64_t n2) {
  for (int64_t i0 = 0; i0 < n0; ++i0) {
    for (int64_t i1 = 0; i1 < n2; ++i1) {
      float greatest0 = (-burin_rt::f32_infinity());
      for (int64_t i2 = 0; i2 < n1; ++i2) {
        greatest0 = burin_rt::maximum(greatest0, x0[n1 * n2 * i0 + n1 * i1 + i2]);
      }
      float sum1 = 0.0f;
      for (int64_t i2 = 0; i2 < n1; ++i2) {
        sum1 += burin_rt::exp((x0[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
      }
      for (int64_t i2 = 0; i2 < n1; ++i2) {
        y0[n1 * n2 * i0 + n1 * i1 + i2] = burin_rt::exp((x0[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
      }
    }
  }
}

}  // namespace softmax_sym_kernels
