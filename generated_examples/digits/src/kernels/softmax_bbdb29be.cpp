// SPDX-License-Identifier: MIT-0
// row: Softmax '/Softmax'
//
//   greatest0[i0] = max over i1: in_classify_Gemm_output_0[i0, i1]
//   sum1[i0] = sum over i1: exp((in_classify_Gemm_output_0[i0, i1] - greatest0[i0]))
//   out_probabilities[i0, i1] := exp((in_classify_Gemm_output_0[i0, i1] - greatest0[i0])) /
//       sum1[i0]
//
// in_classify_Gemm_output_0  f32[batch, 10], tensor '/classify/Gemm_output_0'
// out_probabilities          f32[batch, 10], output of the network 'probabilities'
// n0                         batch
//
// generic loops in the order of the axes; threads share i0
#include "../kernels.h"
#include "../rt/bits.h"
#include "../rt/elementary.h"
#include "../rt/exp.h"

namespace digits_kernels {

void softmax_bbdb29be(
    const float* __restrict in_classify_Gemm_output_0,
    float* __restrict out_probabilities,
    const int64_t n0,
    const int64_t first,
    const int64_t last) {
  for (int64_t i0 = first; i0 < last; ++i0) {
    float greatest0 = -burin_rt::f32_infinity();
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      greatest0 = burin_rt::maximum(greatest0, in_classify_Gemm_output_0[10 * i0 + i1]);
    }
    float sum1 = 0.0f;
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      sum1 += burin_rt::exp((in_classify_Gemm_output_0[10 * i0 + i1] - greatest0));
    }
    for (int64_t i1 = 0; i1 < 10; ++i1) {
      out_probabilities[10 * i0 + i1] = burin_rt::exp((in_classify_Gemm_output_0[10 * i0 + i1] - greatest0)) / sum1;
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
