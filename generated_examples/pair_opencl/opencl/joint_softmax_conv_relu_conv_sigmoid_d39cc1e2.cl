// SPDX-License-Identifier: MIT-0
// joint launch: Softmax 'softmax.last', Softmax 'softmax.middle', Conv 'branches.b/reduce', Relu
// 'branches.b/relu', Conv 'branches.a/conv', Relu 'branches.a/relu', Concat 'branches.join', Conv
// 'branches.d/depthwise', Sigmoid 'branches.d/gate', Concat 'branches.join'
//
//   member 0, work-groups: 2*"softmax.batch"*(("softmax.rows" + 63) /\x2f 64) from 0 on
//     greatest0[i0, i1] = max over i2: in_softmax_x[i0, i1, i2]
//     sum1[i0, i1] = sum over i2: exp((in_softmax_x[i0, i1, i2] - greatest0[i0, i1]))
//     out_softmax_last[i0, i1, i2] := exp((in_softmax_x[i0, i1, i2] - greatest0[i0, i1])) /
//       sum1[i0, i1]
//   member 1, work-groups: 2*"softmax.batch"*(("softmax.cols" + 63) /\x2f 64) from
//       2*"softmax.batch"*(("softmax.rows" + 63) /\x2f 64) on
//     greatest0[i0, i2] = max over i1: in_softmax_x[i0, i1, i2]
//     sum1[i0, i2] = sum over i1: exp((in_softmax_x[i0, i1, i2] - greatest0[i0, i2]))
//     out_softmax_middle[i0, i1, i2] := exp((in_softmax_x[i0, i1, i2] - greatest0[i0, i2])) /
//       sum1[i0, i2]
//   member 2, work-groups: (("branches.batch"*"branches.h"*"branches.w" + 127) /\x2f 128) from
//       2*"softmax.batch"*(("softmax.cols" + 63) /\x2f 64) + 2*"softmax.batch"*(("softmax.rows" + 63)
//       /\x2f 64) on
//     sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: w_branches_b_reduce_rows[i0, i3]; else 0} * {0
//       <= i3 < 6: in_branches_x[(i1 div (n1*n2)), i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
//     out_branches_b1[i1 div (n1*n2), i0, (i1 div n2) mod n1, i1 mod n2] := max(sum0[i0, i1], 0)
//   member 3, work-groups: (("branches.batch"*"branches.h"*"branches.w" + 127) /\x2f 128) from
//       2*"softmax.batch"*(("softmax.cols" + 63) /\x2f 64) + 2*"softmax.batch"*(("softmax.rows" + 63)
//       /\x2f 64) + (("branches.batch"*"branches.h"*"branches.w" + 127) /\x2f 128) on
//     sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: w_branches_a_conv_rows[i0, i3]; else 0} * {0 <=
//       i3 < 6: in_branches_x[(i1 div (n1*n2)), i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
//     out_branches_joined[i1 div (n1*n2), i0, (i1 div n2) mod n1, i1 mod n2] := max(sum0[i0, i1],
//       0)
//   member 4, work-groups: 12*"branches.batch"*"branches.h"*(("branches.w" + 63) /\x2f 64) from
//       2*"softmax.batch"*(("softmax.cols" + 63) /\x2f 64) + 2*"softmax.batch"*(("softmax.rows" + 63)
//       /\x2f 64) + 2*(("branches.batch"*"branches.h"*"branches.w" + 127) /\x2f 128) on
//     sum0[i0, i1, i2, i3] = sum over i4 i5: {0 <= i2 + i4 - 1 < n1 && 0 <= i3 + i5 - 1 < n2:
//       in_branches_x[i0, i1, i2 + i4 - 1, i3 + i5 - 1]; else 0} * w_branches_w_d[i1, 0, i4, i5]
//     out_branches_joined[i0, i1 + 32, i2, i3] := 1 / (exp(neg(sum0[i0, i1, i2, i3])) + 1)
//
// in_softmax_x              f32["softmax.batch", "softmax.rows", "softmax.cols"], input of the
//                           network 'softmax.x'
// w_branches_b_reduce_rows  f32[12, 6] laid out 0/16 1 [16], constant 'branches.b/reduce_rows'
// in_branches_x             f32["branches.batch", 6, "branches.h", "branches.w"], input of the
//                           network 'branches.x'
// w_branches_a_conv_rows    f32[8, 6] laid out 0/8 1 [8], constant 'branches.a/conv_rows'
// w_branches_w_d            f32[6, 1, 3, 3], constant 'branches.w_d'
// out_softmax_last          f32["softmax.batch", "softmax.rows", "softmax.cols"], output of the
//                           network 'softmax.last'
// out_softmax_middle        f32["softmax.batch", "softmax.rows", "softmax.cols"], output of the
//                           network 'softmax.middle'
// out_branches_b1           f32["branches.batch", 12, "branches.h", "branches.w"], tensor
//                           'branches.b1'
// out_branches_joined       f32["branches.batch", 38, "branches.h", "branches.w"], tensor
//                           'branches.joined'
// n1                        softmax.cols
// n2                        softmax.rows
// n0                        branches.batch
// n1                        branches.h
// n2                        branches.w
//
// independent kernels share the device: each work-group of 32 belongs to one of them
void joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_0(
    __global const float* restrict in_softmax_x,
    const ulong at_in_softmax_x,
    __global float* restrict out_softmax_last,
    const ulong at_out_softmax_last,
    const long n1,
    const long n2,
    const int group) {
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  const long i1 = (long)((own_group % (((n2 + 63) / 64))) * 64 + own_item);
  const long i0 = (long)(own_group / (((n2 + 63) / 64)));
  if (i1 >= n2) return;
  in_softmax_x += at_in_softmax_x;
  out_softmax_last += at_out_softmax_last;
  float greatest0 = (-INFINITY);
  for (long i2 = 0; i2 < n1; ++i2) {
    greatest0 = burin_maximum_f32(greatest0, in_softmax_x[n1 * n2 * i0 + n1 * i1 + i2]);
  }
  float sum1 = 0.0f;
  for (long i2 = 0; i2 < n1; ++i2) {
    sum1 += exp((in_softmax_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
  }
  for (long i2 = 0; i2 < n1; ++i2) {
    out_softmax_last[n1 * n2 * i0 + n1 * i1 + i2] = exp((in_softmax_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
  }
}

void joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_1(
    __global const float* restrict in_softmax_x,
    const ulong at_in_softmax_x,
    __global float* restrict out_softmax_middle,
    const ulong at_out_softmax_middle,
    const long n1,
    const long n2,
    const int group) {
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  const long i2 = (long)((own_group % (((n1 + 63) / 64))) * 64 + own_item);
  const long i0 = (long)(own_group / (((n1 + 63) / 64)));
  if (i2 >= n1) return;
  in_softmax_x += at_in_softmax_x;
  out_softmax_middle += at_out_softmax_middle;
  float greatest0 = (-INFINITY);
  for (long i1 = 0; i1 < n2; ++i1) {
    greatest0 = burin_maximum_f32(greatest0, in_softmax_x[n1 * n2 * i0 + n1 * i1 + i2]);
  }
  float sum1 = 0.0f;
  for (long i1 = 0; i1 < n2; ++i1) {
    sum1 += exp((in_softmax_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0));
  }
  for (long i1 = 0; i1 < n2; ++i1) {
    out_softmax_middle[n1 * n2 * i0 + n1 * i1 + i2] = exp((in_softmax_x[n1 * n2 * i0 + n1 * i1 + i2] - greatest0)) / sum1;
  }
}

void joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_2(
    __global const float* restrict w_branches_b_reduce_rows,
    const ulong at_w_branches_b_reduce_rows,
    __global const float* restrict in_branches_x,
    const ulong at_in_branches_x,
    __global float* restrict out_branches_b1,
    const ulong at_out_branches_b1,
    const long n0,
    const long n1,
    const long n2,
    const int group,
    __local float4* const room) {
  __local float4* const a_tile = (__local float4*)(room + 0);
  __local float4* const b_tile = (__local float4*)(room + 32);
  __local float* const a_lanes = (__local float*)a_tile;
  __local float* const b_lanes = (__local float*)b_tile;
  w_branches_b_reduce_rows += at_w_branches_b_reduce_rows;
  in_branches_x += at_in_branches_x;
  out_branches_b1 += at_out_branches_b1;
  // A tile of 16 x 128: each work-item sums 8 x 8 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 16 * 8;
  const int column = item % 16;
  const int row4 = item / 16 * 2;
  const long i1_first = (long)group * 128;
  const long i0_first = 0;
  float sums[8][8];
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float a_next[4];
  float b_next[32];
  for (long ready = -1; ready < 1; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 1) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 32;
        a_next[j] = 0 + e / 16 < 6 ? w_branches_b_reduce_rows[6 * i0_first + e] : 0.0f;
      }
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int e = item + j * 32;
        const long i3 = e / 128;
        const long i1 = i1_first + e % 128;
        b_next[j] = 0.0f;
        if (i1 < n0 * n1 * n2) {
          const long q0 = i1 / (n1 * n2);
          const long q1 = i1 % (n1 * n2);
          float t2 = 0.0f;
          if (i3 < 6) {
            t2 = in_branches_x[n1 * n2 * i3 + 6 * n1 * n2 * q0 + q1];
          }
          b_next[j] = t2;
        }
      }
    }
    if (ready >= 0) {
#pragma unroll
      for (int d = 0; d < 8; ++d) {
        float a[8], b[8];
        vstore4(a_tile[d * 4 + row4 + 0], 0, a);
        vstore4(a_tile[d * 4 + row4 + 1], 1, a);
        vstore4(b_tile[d * 32 + column + 0], 0, b);
        vstore4(b_tile[d * 32 + column + 16], 1, b);
#pragma unroll
        for (int r = 0; r < 8; ++r) {
#pragma unroll
          for (int c = 0; c < 8; ++c) sums[r][c] = mad(a[r], b[c], sums[r][c]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i2 < 1) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 32;
        a_lanes[e / 16 * 16 + e % 16] = a_next[j];
      }
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int e = item + j * 32;
        b_lanes[e / 128 * 128 + e % 128] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const long i0 = i0_first + row + r;
    if (i0 < 12) {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 16 + column) + c % 4;
        if (i1 < n0 * n1 * n2) {
          const long q3 = i1 / (n1 * n2);
          const long q4 = i1 % (n1 * n2);
          out_branches_b1[n1 * n2 * i0 + 12 * n1 * n2 * q3 + q4] = burin_maximum_f32(sums[r][c], 0.0f);
        }
      }
    }
  }
}

void joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_3(
    __global const float* restrict w_branches_a_conv_rows,
    const ulong at_w_branches_a_conv_rows,
    __global const float* restrict in_branches_x,
    const ulong at_in_branches_x,
    __global float* restrict out_branches_joined,
    const ulong at_out_branches_joined,
    const long n0,
    const long n1,
    const long n2,
    const int group,
    __local float4* const room) {
  __local float4* const a_tile = (__local float4*)(room + 0);
  __local float4* const b_tile = (__local float4*)(room + 16);
  __local float* const a_lanes = (__local float*)a_tile;
  __local float* const b_lanes = (__local float*)b_tile;
  w_branches_a_conv_rows += at_w_branches_a_conv_rows;
  in_branches_x += at_in_branches_x;
  out_branches_joined += at_out_branches_joined;
  // A tile of 8 x 128: each work-item sums 4 x 8 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 16 * 4;
  const int column = item % 16;
  const int row4 = item / 16 * 1;
  const long i1_first = (long)group * 128;
  const long i0_first = 0;
  float sums[4][8];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 8; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float a_next[2];
  float b_next[32];
  for (long ready = -1; ready < 1; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 1) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int e = item + j * 32;
        a_next[j] = 0 + e / 8 < 6 ? w_branches_a_conv_rows[6 * i0_first + e] : 0.0f;
      }
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int e = item + j * 32;
        const long i3 = e / 128;
        const long i1 = i1_first + e % 128;
        b_next[j] = 0.0f;
        if (i1 < n0 * n1 * n2) {
          const long q0 = i1 / (n1 * n2);
          const long q1 = i1 % (n1 * n2);
          float t2 = 0.0f;
          if (i3 < 6) {
            t2 = in_branches_x[n1 * n2 * i3 + 6 * n1 * n2 * q0 + q1];
          }
          b_next[j] = t2;
        }
      }
    }
    if (ready >= 0) {
#pragma unroll
      for (int d = 0; d < 8; ++d) {
        float a[4], b[8];
        vstore4(a_tile[d * 2 + row4 + 0], 0, a);
        vstore4(b_tile[d * 32 + column + 0], 0, b);
        vstore4(b_tile[d * 32 + column + 16], 1, b);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
#pragma unroll
          for (int c = 0; c < 8; ++c) sums[r][c] = mad(a[r], b[c], sums[r][c]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i2 < 1) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int e = item + j * 32;
        a_lanes[e / 8 * 8 + e % 8] = a_next[j];
      }
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int e = item + j * 32;
        b_lanes[e / 128 * 128 + e % 128] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const long i0 = i0_first + row + r;
    {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 16 + column) + c % 4;
        if (i1 < n0 * n1 * n2) {
          const long q3 = i1 / (n1 * n2);
          const long q4 = i1 % (n1 * n2);
          out_branches_joined[n1 * n2 * i0 + 38 * n1 * n2 * q3 + q4] = burin_maximum_f32(sums[r][c], 0.0f);
        }
      }
    }
  }
}

void joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_4(
    __global const float* restrict in_branches_x,
    const ulong at_in_branches_x,
    __global const float* restrict w_branches_w_d,
    const ulong at_w_branches_w_d,
    __global float* restrict out_branches_joined,
    const ulong at_out_branches_joined,
    const long n1,
    const long n2,
    const int group) {
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  const long i3 = (long)((own_group % (((n2 + 63) / 64))) * 64 + own_item);
  const long i2 = (long)((own_group / (((n2 + 63) / 64))) % n1);
  const long point2 = (long)(own_group / (n1 * ((n2 + 63) / 64)));
  if (i3 >= n2) return;
  const long i1 = (long)(point2 % 6);
  const long i0 = (long)(point2 / 6);
  in_branches_x += at_in_branches_x;
  w_branches_w_d += at_w_branches_w_d;
  out_branches_joined += at_out_branches_joined;
  float sum0 = 0.0f;
  for (long i4 = max((long)0, (long)(-i2 + 1)); i4 < min((long)3, (long)(n1 - i2 + 1)); ++i4) {
    for (long i5 = max((long)0, (long)(-i3 + 1)); i5 < min((long)3, (long)(n2 - i3 + 1)); ++i5) {
      const float t0 = in_branches_x[6 * n1 * n2 * i0 + n1 * n2 * i1 - n2 + n2 * i2 + n2 * i4 + i3 + i5 - 1] * w_branches_w_d[9 * i1 + 3 * i4 + i5];
      sum0 += t0;
    }
  }
  out_branches_joined[32 * n1 * n2 + 38 * n1 * n2 * i0 + n1 * n2 * i1 + n2 * i2 + i3] = 1.0f / (exp((-sum0)) + 1.0f);
}

__kernel void joint_softmax_conv_relu_conv_sigmoid_d39cc1e2(
    __global const float* restrict in_softmax_x_0,
    const ulong at_in_softmax_x_0,
    __global float* restrict out_softmax_last_0,
    const ulong at_out_softmax_last_0,
    const long n1_0,
    const long n2_0,
    __global const float* restrict in_softmax_x_1,
    const ulong at_in_softmax_x_1,
    __global float* restrict out_softmax_middle_1,
    const ulong at_out_softmax_middle_1,
    const long n1_1,
    const long n2_1,
    __global const float* restrict w_branches_b_reduce_rows_2,
    const ulong at_w_branches_b_reduce_rows_2,
    __global const float* restrict in_branches_x_2,
    const ulong at_in_branches_x_2,
    __global float* restrict out_branches_b1_2,
    const ulong at_out_branches_b1_2,
    const long n0_2,
    const long n1_2,
    const long n2_2,
    __global const float* restrict w_branches_a_conv_rows_3,
    const ulong at_w_branches_a_conv_rows_3,
    __global const float* restrict in_branches_x_3,
    const ulong at_in_branches_x_3,
    __global float* restrict out_branches_joined_3,
    const ulong at_out_branches_joined_3,
    const long n0_3,
    const long n1_3,
    const long n2_3,
    __global const float* restrict in_branches_x_4,
    const ulong at_in_branches_x_4,
    __global const float* restrict w_branches_w_d_4,
    const ulong at_w_branches_w_d_4,
    __global float* restrict out_branches_joined_4,
    const ulong at_out_branches_joined_4,
    const long n1_4,
    const long n2_4,
    const int end_0,
    const int end_1,
    const int end_2,
    const int end_3,
    const int end_4) {
  __local float4 room[288];
  const int group = (int)get_group_id(0);
  if (group >= 0 && group < end_0) {
    joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_0(
        in_softmax_x_0,
        at_in_softmax_x_0,
        out_softmax_last_0,
        at_out_softmax_last_0,
        n1_0,
        n2_0,
        group);
  } else if (group >= end_0 && group < end_1) {
    joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_1(
        in_softmax_x_1,
        at_in_softmax_x_1,
        out_softmax_middle_1,
        at_out_softmax_middle_1,
        n1_1,
        n2_1,
        group - end_0);
  } else if (group >= end_1 && group < end_2) {
    joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_2(
        w_branches_b_reduce_rows_2,
        at_w_branches_b_reduce_rows_2,
        in_branches_x_2,
        at_in_branches_x_2,
        out_branches_b1_2,
        at_out_branches_b1_2,
        n0_2,
        n1_2,
        n2_2,
        group - end_1,
        room);
  } else if (group >= end_2 && group < end_3) {
    joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_3(
        w_branches_a_conv_rows_3,
        at_w_branches_a_conv_rows_3,
        in_branches_x_3,
        at_in_branches_x_3,
        out_branches_joined_3,
        at_out_branches_joined_3,
        n0_3,
        n1_3,
        n2_3,
        group - end_2,
        room);
  } else if (group >= end_3 && group < end_4) {
    joint_softmax_conv_relu_conv_sigmoid_d39cc1e2_4(
        in_branches_x_4,
        at_in_branches_x_4,
        w_branches_w_d_4,
        at_w_branches_w_d_4,
        out_branches_joined_4,
        at_out_branches_joined_4,
        n1_4,
        n2_4,
        group - end_3);
  }
}
