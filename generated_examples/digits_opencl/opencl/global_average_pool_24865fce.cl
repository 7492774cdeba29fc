// SPDX-License-Identifier: MIT-0
// reduction: GlobalAveragePool '/GlobalAveragePool'
//
//   sum0[i0, i1] = sum over i2 i3: input[i0, i1, i2, i3]
//   output[i0, i1, 0, 0] := sum0[i0, i1] / 16
//
// input   f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// output  f32[batch, 48, 1, 1], strides [48, 1, 1, 1]
//
// one launch
__kernel void global_average_pool_24865fce(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output) {
  input += at_input;
  output += at_output;
  // Computes output from input.
  const long i0 = (long)get_global_id(1);
  const long i1 = (long)get_global_id(0);
  if (i1 >= 48) return;
  float sum0 = 0.0f;
  for (long i2 = 0; i2 < 4; ++i2) {
    for (long i3 = 0; i3 < 4; ++i3) {
      sum0 += input[768 * i0 + 16 * i1 + 4 * i2 + i3];
    }
  }
  output[48 * i0 + i1] = sum0 / 16.0f;
}
