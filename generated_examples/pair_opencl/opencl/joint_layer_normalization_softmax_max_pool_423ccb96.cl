// SPDX-License-Identifier: MIT-0
// joint launch: LayerNormalization 'rows/norm', Softmax 'rows/softmax', MaxPool 'c/pool'
//
//   member 0, work-groups: n from 0 on
//     sum0[i0] = sum over i1: in_rows[i0, i1]
//     sum1[i0] = sum over i1: (in_rows[i0, i1] - (sum0[i0] / 200)) * (in_rows[i0, i1] - (sum0[i0] /
//       200))
//     out_q[i0, i1] := (((in_rows[i0, i1] - (sum0[i0] / 200)) * (1 / sqrt(((sum1[i0] / 200) +
//       9.99999975e-06)))) * w_gain[i1]) + w_shift[i1]
//   member 1, work-groups: n from n on
//     greatest0[i0] = max over i1: in_rows[i0, i1]
//     sum1[i0] = sum over i1: exp((in_rows[i0, i1] - greatest0[i0]))
//     out_p[i0, i1] := exp((in_rows[i0, i1] - greatest0[i0])) / sum1[i0]
//   member 2, work-groups: 6*batch*h*((w + 63) /\x2f 64) from 2*n on
//     greatest0[i0, i1, i2, i3] = max over i4 i5: {0 <= i2 + i4 - 1 < n1 && 0 <= i3 + i5 - 1 < n2:
//       in_x[i0, i1, i2 + i4 - 1, i3 + i5 - 1]; else -inf}
//     out_c0[i0, i1, i2, i3] := greatest0[i0, i1, i2, i3]
//
// in_rows  f32[n, 200], input of the network 'rows'
// w_gain   f32[200], constant 'gain'
// w_shift  f32[200], constant 'shift'
// in_x     f32[batch, 6, h, w], input of the network 'x'
// out_q    f32[n, 200], output of the network 'q'
// out_p    f32[n, 200], output of the network 'p'
// out_c0   f32[batch, 6, h, w], tensor 'c0'
// n1       h
// n2       w
//
// independent kernels share the device: each work-group of 64 belongs to one of them
void joint_layer_normalization_softmax_max_pool_423ccb96_0(
    __global const float* restrict in_rows,
    const ulong at_in_rows,
    __global const float* restrict w_gain,
    const ulong at_w_gain,
    __global const float* restrict w_shift,
    const ulong at_w_shift,
    __global float* restrict out_q,
    const ulong at_out_q,
    const int group,
    __local float4* const room) {
  __local float* const partial_f32 = (__local float*)(room + 0);
  in_rows += at_in_rows;
  w_gain += at_w_gain;
  w_shift += at_w_shift;
  out_q += at_out_q;
  const long i0 = (long)group;
  const long item = (long)get_local_id(0);
  float sum0 = 0.0f;
  for (long i1 = item; i1 < 200; i1 += 64) {
    sum0 += in_rows[200 * i0 + i1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = sum0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 16) {
    partial_f32[item] += partial_f32[item + 16];
    partial_f32[item] += partial_f32[item + 32];
    partial_f32[item] += partial_f32[item + 48];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 4) {
    partial_f32[item] += partial_f32[item + 4];
    partial_f32[item] += partial_f32[item + 8];
    partial_f32[item] += partial_f32[item + 12];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    partial_f32[item] += partial_f32[item + 1];
    partial_f32[item] += partial_f32[item + 2];
    partial_f32[item] += partial_f32[item + 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum0 = partial_f32[0];
  float sum1 = 0.0f;
  for (long i1 = item; i1 < 200; i1 += 64) {
    const float t0 = in_rows[200 * i0 + i1] - (sum0 / 200.0f);
    sum1 += t0 * t0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = sum1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 16) {
    partial_f32[item] += partial_f32[item + 16];
    partial_f32[item] += partial_f32[item + 32];
    partial_f32[item] += partial_f32[item + 48];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 4) {
    partial_f32[item] += partial_f32[item + 4];
    partial_f32[item] += partial_f32[item + 8];
    partial_f32[item] += partial_f32[item + 12];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    partial_f32[item] += partial_f32[item + 1];
    partial_f32[item] += partial_f32[item + 2];
    partial_f32[item] += partial_f32[item + 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum1 = partial_f32[0];
  for (long i1 = item; i1 < 200; i1 += 64) {
    const float t1 = ((in_rows[200 * i0 + i1] - (sum0 / 200.0f)) * (1.0f / sqrt(((sum1 / 200.0f) + 1e-05f)))) * w_gain[i1];
    out_q[200 * i0 + i1] = t1 + w_shift[i1];
  }
}

void joint_layer_normalization_softmax_max_pool_423ccb96_1(
    __global const float* restrict in_rows,
    const ulong at_in_rows,
    __global float* restrict out_p,
    const ulong at_out_p,
    const int group,
    __local float4* const room) {
  __local float* const partial_f32 = (__local float*)(room + 0);
  in_rows += at_in_rows;
  out_p += at_out_p;
  const long i0 = (long)group;
  const long item = (long)get_local_id(0);
  float greatest0 = -INFINITY;
  for (long i1 = item; i1 < 200; i1 += 64) {
    greatest0 = burin_maximum_f32(greatest0, in_rows[200 * i0 + i1]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = greatest0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 16) {
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 16]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 32]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 48]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 4) {
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 4]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 8]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 12]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 1]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 2]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 3]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  greatest0 = partial_f32[0];
  float sum1 = 0.0f;
  for (long i1 = item; i1 < 200; i1 += 64) {
    sum1 += exp((in_rows[200 * i0 + i1] - greatest0));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = sum1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 16) {
    partial_f32[item] += partial_f32[item + 16];
    partial_f32[item] += partial_f32[item + 32];
    partial_f32[item] += partial_f32[item + 48];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 4) {
    partial_f32[item] += partial_f32[item + 4];
    partial_f32[item] += partial_f32[item + 8];
    partial_f32[item] += partial_f32[item + 12];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    partial_f32[item] += partial_f32[item + 1];
    partial_f32[item] += partial_f32[item + 2];
    partial_f32[item] += partial_f32[item + 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum1 = partial_f32[0];
  for (long i1 = item; i1 < 200; i1 += 64) {
    out_p[200 * i0 + i1] = exp((in_rows[200 * i0 + i1] - greatest0)) / sum1;
  }
}

void joint_layer_normalization_softmax_max_pool_423ccb96_2(
    __global const float* restrict in_x,
    const ulong at_in_x,
    __global float* restrict out_c0,
    const ulong at_out_c0,
    const long n1,
    const long n2,
    const int group) {
  in_x += at_in_x;
  out_c0 += at_out_c0;
  const long point2 = (long)(group / (n1 * ((n2 + 63) / 64)));
  const long q0 = point2 % 6;
  const long q1 = point2 / 6;
  const long i1 = q0;
  const long i0 = q1;
  const long i2 = (long)((group / (((n2 + 63) / 64))) % n1);
  const long i3 = (long)((group % (((n2 + 63) / 64))) * 64 + (int)get_local_id(0));
  if (i3 >= n2) return;
  float greatest0 = -INFINITY;
  for (long i4 = max((long)0, (long)(-i2 + 1)); i4 < min((long)3, (long)(n1 - i2 + 1)); ++i4) {
    for (long i5 = max((long)0, (long)(-i3 + 1)); i5 < min((long)3, (long)(n2 - i3 + 1)); ++i5) {
      greatest0 = burin_maximum_f32(greatest0, in_x[6 * n1 * n2 * i0 + n1 * n2 * i1 - n2 + n2 * i2 + n2 * i4 + i3 + i5 - 1]);
    }
  }
  out_c0[6 * n1 * n2 * i0 + n1 * n2 * i1 + n2 * i2 + i3] = greatest0;
}

__kernel void joint_layer_normalization_softmax_max_pool_423ccb96(
    __global const float* restrict in_rows_0,
    const ulong at_in_rows_0,
    __global const float* restrict w_gain_0,
    const ulong at_w_gain_0,
    __global const float* restrict w_shift_0,
    const ulong at_w_shift_0,
    __global float* restrict out_q_0,
    const ulong at_out_q_0,
    __global const float* restrict in_rows_1,
    const ulong at_in_rows_1,
    __global float* restrict out_p_1,
    const ulong at_out_p_1,
    __global const float* restrict in_x_2,
    const ulong at_in_x_2,
    __global float* restrict out_c0_2,
    const ulong at_out_c0_2,
    const long n1_2,
    const long n2_2,
    const int end_0,
    const int end_1,
    const int end_2) {
  __local float4 room[16];
  const int group = (int)get_group_id(0);
  if (group >= 0 && group < end_0) {
    joint_layer_normalization_softmax_max_pool_423ccb96_0(
        in_rows_0,
        at_in_rows_0,
        w_gain_0,
        at_w_gain_0,
        w_shift_0,
        at_w_shift_0,
        out_q_0,
        at_out_q_0,
        group,
        room);
  } else if (group >= end_0 && group < end_1) {
    joint_layer_normalization_softmax_max_pool_423ccb96_1(
        in_rows_1,
        at_in_rows_1,
        out_p_1,
        at_out_p_1,
        group - end_0,
        room);
  } else if (group >= end_1 && group < end_2) {
    joint_layer_normalization_softmax_max_pool_423ccb96_2(
        in_x_2,
        at_in_x_2,
        out_c0_2,
        at_out_c0_2,
        n1_2,
        n2_2,
        group - end_1);
  }
}
