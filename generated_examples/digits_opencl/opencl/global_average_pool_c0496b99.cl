// SPDX-License-Identifier: MIT-0
// reduction: GlobalAveragePool '/GlobalAveragePool'
//
//   sum0[i0, i1] = sum over i2 i3: in_inverted_Add_output_0[i0, i1, i2, i3]
//   out_GlobalAveragePool_output_0[i0, i1, 0, 0] := sum0[i0, i1] / 16
//
// in_inverted_Add_output_0        f32[batch, 48, 4, 4], tensor '/inverted/Add_output_0'
// out_GlobalAveragePool_output_0  f32[batch, 48, 1, 1], tensor '/GlobalAveragePool_output_0'
//
// one launch
__kernel void global_average_pool_c0496b99(
    __global const float* restrict in_inverted_Add_output_0,
    const ulong at_in_inverted_Add_output_0,
    __global float* restrict out_GlobalAveragePool_output_0,
    const ulong at_out_GlobalAveragePool_output_0) {
  in_inverted_Add_output_0 += at_in_inverted_Add_output_0;
  out_GlobalAveragePool_output_0 += at_out_GlobalAveragePool_output_0;
  const long i0 = (long)get_global_id(1);
  const long i1 = (long)get_global_id(0);
  if (i1 >= 48) return;
  float sum0 = 0.0f;
  for (long i2 = 0; i2 < 4; ++i2) {
    for (long i3 = 0; i3 < 4; ++i3) {
      sum0 += in_inverted_Add_output_0[768 * i0 + 16 * i1 + 4 * i2 + i3];
    }
  }
  out_GlobalAveragePool_output_0[48 * i0 + i1] = sum0 / 16.0f;
}
