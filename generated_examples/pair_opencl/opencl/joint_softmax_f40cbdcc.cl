// SPDX-License-Identifier: MIT-0
// joint launch: Softmax 'last', 'middle'
//   Softmax 'last': axis=-1
//   Softmax 'middle': axis=1
//
//   member 0, work-groups: batch*((rows + 63) // 64) from 0 on
//     greatest0[i0, i1] = max over i2: input[i0, i1, i2]
//     sum1[i0, i1] = sum over i2: exp((input[i0, i1, i2] - greatest0[i0, i1]))
//     output[i0, i1, i2] := exp((input[i0, i1, i2] - greatest0[i0, i1])) / sum1[i0, i1]
//   member 1, work-groups: batch*((cols + 63) // 64) from batch*((rows + 63) // 64) on
//     greatest0[i0, i2] = max over i1: input[i0, i1, i2]
//     sum1[i0, i2] = sum over i1: exp((input[i0, i1, i2] - greatest0[i0, i2]))
//     output[i0, i1, i2] := exp((input[i0, i1, i2] - greatest0[i0, i2])) / sum1[i0, i2]
//
// input_0   f32[batch, rows, cols], strides [cols*rows, cols, 1], input of the network 'x'
// output_0  f32[batch, rows, cols], strides [cols*rows, cols, 1], output of the network 'last'
// output_1  f32[batch, rows, cols], strides [cols*rows, cols, 1], output of the network 'middle'
// n1        cols
// n2        rows
//
// independent kernels share the device: each work-group of 64 belongs to one of them
void joint_softmax_f40cbdcc_0(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2,
    const int group) {
  input += at_input;
  output += at_output;
  // Computes output from input.
  const long i0 = (long)(group / (((n2 + 63) / 64)));
  const long i1 = (long)((group % (((n2 + 63) / 64))) * 64 + (int)get_local_id(0));
  if (i1 >= n2) return;
  float greatest0 = -INFINITY;
  // Computes greatest0 from input.
  for (long i2 = 0; i2 < n1; ++i2) {
    greatest0 = burin_maximum_f32(greatest0, input[n1 * n2 * i0 + n1 * i1 + i2]);
  }
  float sum1 = 0.0f;
  // Computes sum1 from input and greatest0.
  for (long i2 = 0; i2 < n1; ++i2) {
    sum1 += exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
  }
  // Computes output from input, greatest0 and sum1.
  for (long i2 = 0; i2 < n1; ++i2) {
    output[n1 * n2 * i0 + n1 * i1 + i2] = exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
  }
}

void joint_softmax_f40cbdcc_1(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2,
    const int group) {
  input += at_input;
  output += at_output;
  // Computes output from input.
  const long i0 = (long)(group / (((n1 + 63) / 64)));
  const long i2 = (long)((group % (((n1 + 63) / 64))) * 64 + (int)get_local_id(0));
  if (i2 >= n1) return;
  float greatest0 = -INFINITY;
  // Computes greatest0 from input.
  for (long i1 = 0; i1 < n2; ++i1) {
    greatest0 = burin_maximum_f32(greatest0, input[n1 * n2 * i0 + n1 * i1 + i2]);
  }
  float sum1 = 0.0f;
  // Computes sum1 from input and greatest0.
  for (long i1 = 0; i1 < n2; ++i1) {
    sum1 += exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
  }
  // Computes output from input, greatest0 and sum1.
  for (long i1 = 0; i1 < n2; ++i1) {
    output[n1 * n2 * i0 + n1 * i1 + i2] = exp((input[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
  }
}

__kernel void joint_softmax_f40cbdcc(
    __global const float* restrict input_0,
    const ulong at_input_0,
    __global float* restrict output_0,
    const ulong at_output_0,
    const long n1_0,
    const long n2_0,
    __global const float* restrict input_1,
    const ulong at_input_1,
    __global float* restrict output_1,
    const ulong at_output_1,
    const long n1_1,
    const long n2_1,
    const int end_0,
    const int end_1) {
  const int group = (int)get_group_id(0);
  if (group >= 0 && group < end_0) {
    joint_softmax_f40cbdcc_0(input_0, at_input_0, output_0, at_output_0, n1_0, n2_0, group);
  } else if (group >= end_0 && group < end_1) {
    joint_softmax_f40cbdcc_1(input_1, at_input_1, output_1, at_output_1, n1_1, n2_1, group - end_0);
  }
}
