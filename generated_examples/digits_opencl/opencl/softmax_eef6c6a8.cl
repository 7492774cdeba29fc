// SPDX-License-Identifier: MIT-0
// row: Softmax '/Softmax'
//   Softmax: axis=1
//
//   greatest0[i0] = max over i1: input[i0, i1]
//   sum1[i0] = sum over i1: exp((input[i0, i1] - greatest0[i0]))
//   output[i0, i1] := exp((input[i0, i1] - greatest0[i0])) / sum1[i0]
//
// input   f32[batch, 10], strides [10, 1]
// output  f32[batch, 10], strides [10, 1], output of the network 'probabilities'
// n0      batch
//
// one launch
__kernel void softmax_eef6c6a8(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n0) {
  input += at_input;
  output += at_output;
  // Computes output from input.
  const long i0 = (long)get_global_id(0);
  if (i0 >= n0) return;
  float greatest0 = -INFINITY;
  // Computes greatest0 from input.
  for (long i1 = 0; i1 < 10; ++i1) {
    greatest0 = burin_maximum_f32(greatest0, input[10 * i0 + i1]);
  }
  float sum1 = 0.0f;
  // Computes sum1 from input and greatest0.
  for (long i1 = 0; i1 < 10; ++i1) {
    sum1 += exp((input[10 * i0 + i1] - greatest0));
  }
  // Computes output from input, greatest0 and sum1.
  for (long i1 = 0; i1 < 10; ++i1) {
    output[10 * i0 + i1] = exp((input[10 * i0 + i1] - greatest0)) / sum1;
  }
}
