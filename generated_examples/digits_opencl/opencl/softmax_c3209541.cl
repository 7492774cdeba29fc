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
// one launch
__kernel void softmax_c3209541(
    __global const float* restrict in_classify_Gemm_output_0,
    const ulong at_in_classify_Gemm_output_0,
    __global float* restrict out_probabilities,
    const ulong at_out_probabilities,
    const long n0) {
  in_classify_Gemm_output_0 += at_in_classify_Gemm_output_0;
  out_probabilities += at_out_probabilities;
  const long i0 = (long)get_global_id(0);
  if (i0 >= n0) return;
  float greatest0 = -INFINITY;
  for (long i1 = 0; i1 < 10; ++i1) {
    greatest0 = burin_maximum_f32(greatest0, in_classify_Gemm_output_0[10 * i0 + i1]);
  }
  float sum1 = 0.0f;
  for (long i1 = 0; i1 < 10; ++i1) {
    sum1 += exp((in_classify_Gemm_output_0[10 * i0 + i1] - greatest0));
  }
  for (long i1 = 0; i1 < 10; ++i1) {
    out_probabilities[10 * i0 + i1] = exp((in_classify_Gemm_output_0[10 * i0 + i1] - greatest0)) / sum1;
  }
}
