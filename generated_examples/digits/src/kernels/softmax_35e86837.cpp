// Softmax: row
//
//   greatest0 = max i1: x0[i0, i1]
//   sum1 = sum i1: exp((x0[i0, i1] - greatest0[i0]))
//   y0[i0, i1] := (exp((x0[i0, i1] - greatest0[i0])) / sum1[i0])
//
// generic loops in the order of the axes
#include "../kernels.h"
#include "../rt/bits.h"
#include "../rt/elementary.h"
#include "../rt/exp.h"

namespace digits_kernels {

void softmax_35e86837(const float* __restrict x0, float* __restrict y0, const int64_t n0) {
  for (int64_t i0 = 0; i0 < n0; ++i0) {
    float greatest0 = (-burin_rt::f32_infinity());
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      greatest0 = burin_rt::maximum(greatest0, x0[10 * i0 + i1]);
    }
    float sum1 = 0.0f;
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      sum1 += burin_rt::exp((x0[10 * i0 + i1] - greatest0));
    }
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      y0[10 * i0 + i1] = burin_rt::exp((x0[10 * i0 + i1] - greatest0)) / sum1;
    }
  }
}

}  // namespace digits_kernels
