// reduction: Flatten '/Flatten', Gemm '/classify/Gemm'
//
//   sum0[i0, i1] = sum over i2: in_GlobalAveragePool_output_0[i0, i2, 0, 0] * w_classify_weight[i1,
//       i2]
//   out_classify_Gemm_output_0[i0, i1] := sum0[i0, i1] + w_classify_bias[i1]
//
// in_GlobalAveragePool_output_0  f32[batch, 48, 1, 1], tensor '/GlobalAveragePool_output_0'
// w_classify_weight              f32[10, 48], constant 'classify.weight'
// w_classify_bias                f32[10], constant 'classify.bias'
// out_classify_Gemm_output_0     f32[batch, 10], tensor '/classify/Gemm_output_0'
// n0                             batch
//
// one launch
__kernel void flatten_gemm_02b0cd10(
    __global const float* restrict in_GlobalAveragePool_output_0,
    const ulong at_in_GlobalAveragePool_output_0,
    __global const float* restrict w_classify_weight,
    const ulong at_w_classify_weight,
    __global const float* restrict w_classify_bias,
    const ulong at_w_classify_bias,
    __global float* restrict out_classify_Gemm_output_0,
    const ulong at_out_classify_Gemm_output_0,
    const long n0) {
  const long point0 = (long)get_global_id(0);
  if (point0 >= 10 * n0) return;
  const long i1 = (long)(point0 % 10);
  const long i0 = (long)(point0 / 10);
  in_GlobalAveragePool_output_0 += at_in_GlobalAveragePool_output_0;
  w_classify_weight += at_w_classify_weight;
  w_classify_bias += at_w_classify_bias;
  out_classify_Gemm_output_0 += at_out_classify_Gemm_output_0;
  float sum0 = 0.0f;
  for (long i2 = 0; i2 < 48; ++i2) {
    sum0 += (in_GlobalAveragePool_output_0[48 * i0 + i2] * w_classify_weight[48 * i1 + i2]);
  }
  out_classify_Gemm_output_0[10 * i0 + i1] = sum0 + w_classify_bias[i1];
}
