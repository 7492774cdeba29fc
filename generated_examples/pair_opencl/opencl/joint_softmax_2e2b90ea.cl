// SPDX-License-Identifier: MIT-0
// joint launch: Softmax 'last', Softmax 'middle'
//
//   member 0, work-groups: batch*((rows + 63) /\x2f 64) from 0 on
//     greatest0[i0, i1] = max over i2: in_x[i0, i1, i2]
//     sum1[i0, i1] = sum over i2: exp((in_x[i0, i1, i2] - greatest0[i0, i1]))
//     out_last[i0, i1, i2] := exp((in_x[i0, i1, i2] - greatest0[i0, i1])) / sum1[i0, i1]
//   member 1, work-groups: batch*((cols + 63) /\x2f 64) from batch*((rows + 63) /\x2f 64) on
//     greatest0[i0, i2] = max over i1: in_x[i0, i1, i2]
//     sum1[i0, i2] = sum over i1: exp((in_x[i0, i1, i2] - greatest0[i0, i2]))
//     out_middle[i0, i1, i2] := exp((in_x[i0, i1, i2] - greatest0[i0, i2])) / sum1[i0, i2]
//
// in_x        f32[batch, rows, cols], input of the network 'x'
// out_last    f32[batch, rows, cols], output of the network 'last'
// out_middle  f32[batch, rows, cols], output of the network 'middle'
// n1          cols
// n2          rows
//
// independent kernels share the device: each work-group of 64 belongs to one of them
void joint_softmax_2e2b90ea_0(
    __global const float* restrict in_x,
    const ulong at_in_x,
    __global float* restrict out_last,
    const ulong at_out_last,
    const long n1,
    const long n2,
    const int group) {
  in_x += at_in_x;
  out_last += at_out_last;
  const long i0 = (long)(group / (((n2 + 63) / 64)));
  const long i1 = (long)((group % (((n2 + 63) / 64))) * 64 + (int)get_local_id(0));
  if (i1 >= n2) return;
  float greatest0 = -INFINITY;
  for (long i2 = 0; i2 < n1; ++i2) {
    greatest0 = burin_maximum_f32(greatest0, in_x[n1 * n2 * i0 + n1 * i1 + i2]);
  }
  float sum1 = 0.0f;
  for (long i2 = 0; i2 < n1; ++i2) {
    sum1 += exp((in_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
  }
  for (long i2 = 0; i2 < n1; ++i2) {
    out_last[n1 * n2 * i0 + n1 * i1 + i2] = exp((in_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
  }
}

void joint_softmax_2e2b90ea_1(
    __global const float* restrict in_x,
    const ulong at_in_x,
    __global float* restrict out_middle,
    const ulong at_out_middle,
    const long n1,
    const long n2,
    const int group) {
  in_x += at_in_x;
  out_middle += at_out_middle;
  const long i0 = (long)(group / (((n1 + 63) / 64)));
  const long i2 = (long)((group % (((n1 + 63) / 64))) * 64 + (int)get_local_id(0));
  if (i2 >= n1) return;
  float greatest0 = -INFINITY;
  for (long i1 = 0; i1 < n2; ++i1) {
    greatest0 = burin_maximum_f32(greatest0, in_x[n1 * n2 * i0 + n1 * i1 + i2]);
  }
  float sum1 = 0.0f;
  for (long i1 = 0; i1 < n2; ++i1) {
    sum1 += exp((in_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
  }
  for (long i1 = 0; i1 < n2; ++i1) {
    out_middle[n1 * n2 * i0 + n1 * i1 + i2] = exp((in_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
  }
}

__kernel void joint_softmax_2e2b90ea(
    __global const float* restrict in_x_0,
    const ulong at_in_x_0,
    __global float* restrict out_last_0,
    const ulong at_out_last_0,
    const long n1_0,
    const long n2_0,
    __global const float* restrict in_x_1,
    const ulong at_in_x_1,
    __global float* restrict out_middle_1,
    const ulong at_out_middle_1,
    const long n1_1,
    const long n2_1,
    const int end_0,
    const int end_1) {
  const int group = (int)get_group_id(0);
  if (group >= 0 && group < end_0) {
    joint_softmax_2e2b90ea_0(in_x_0, at_in_x_0, out_last_0, at_out_last_0, n1_0, n2_0, group);
  } else if (group >= end_0 && group < end_1) {
    joint_softmax_2e2b90ea_1(
        in_x_1,
        at_in_x_1,
        out_middle_1,
        at_out_middle_1,
        n1_1,
        n2_1,
        group - end_0);
  }
}
