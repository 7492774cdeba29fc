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
//     sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: w_branches_b_reduce_rows[0, i3, i0]; else 0} *
//       {0 <= i3 < 6: in_branches_x[(i1 div (n1*n2)), i3, ((i1 div n2) mod n1), (i1 mod n2)]; else
//       0}
//     out_branches_b1[i1 div (n1*n2), i0, (i1 div n2) mod n1, i1 mod n2] := max(sum0[i0, i1], 0)
//   member 3, work-groups: (("branches.batch"*"branches.h"*"branches.w" + 127) /\x2f 128) from
//       2*"softmax.batch"*(("softmax.cols" + 63) /\x2f 64) + 2*"softmax.batch"*(("softmax.rows" + 63)
//       /\x2f 64) + (("branches.batch"*"branches.h"*"branches.w" + 127) /\x2f 128) on
//     sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: w_branches_a_conv_rows[0, i3, i0]; else 0} * {0
//       <= i3 < 6: in_branches_x[(i1 div (n1*n2)), i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
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
// w_branches_b_reduce_rows  f32[1, 6, 16] laid out 0 1 2, constant 'branches.b/reduce_rows'
// in_branches_x             f32["branches.batch", 6, "branches.h", "branches.w"], input of the
//                           network 'branches.x'
// w_branches_a_conv_rows    f32[1, 6, 8] laid out 0 1 2, constant 'branches.a/conv_rows'
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
void joint_softmax_conv_relu_conv_sigmoid_2f5a491e_0(
    __global const float* restrict in_softmax_x,
    const ulong at_in_softmax_x,
    __global float* restrict out_softmax_last,
    const ulong at_out_softmax_last,
    const long n1,
    const long n2,
    const int group) {
  in_softmax_x += at_in_softmax_x;
  out_softmax_last += at_out_softmax_last;
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  const long i0 = (long)(own_group / (((n2 + 63) / 64)));
  const long i1 = (long)((own_group % (((n2 + 63) / 64))) * 64 + own_item);
  if (i1 >= n2) return;
  float greatest0 = -INFINITY;
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

void joint_softmax_conv_relu_conv_sigmoid_2f5a491e_1(
    __global const float* restrict in_softmax_x,
    const ulong at_in_softmax_x,
    __global float* restrict out_softmax_middle,
    const ulong at_out_softmax_middle,
    const long n1,
    const long n2,
    const int group) {
  in_softmax_x += at_in_softmax_x;
  out_softmax_middle += at_out_softmax_middle;
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  const long i0 = (long)(own_group / (((n1 + 63) / 64)));
  const long i2 = (long)((own_group % (((n1 + 63) / 64))) * 64 + own_item);
  if (i2 >= n1) return;
  float greatest0 = -INFINITY;
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

void joint_softmax_conv_relu_conv_sigmoid_2f5a491e_2(
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
  __local float* const a_tile = (__local float*)(room + 0);
  __local float* const b_tile = (__local float*)(room + 32);
  w_branches_b_reduce_rows += at_w_branches_b_reduce_rows;
  in_branches_x += at_in_branches_x;
  out_branches_b1 += at_out_branches_b1;
  const long column_tile = (long)group;
  const long item = (long)get_local_id(0);
  const long q1 = item / 16;
  const long q2 = item % 16;
  float sums[64];
  float a_next[4];
  float b_next[32];
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  for (long turn = 0; turn < 2; ++turn) {
    if (turn == 0) {
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 32 * j;
        const long q3 = e / 16;
        float t0 = 0.0f;
        if (q3 < 6) {
          t0 = w_branches_b_reduce_rows[e];
        }
        a_next[j] = t0;
      }
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        const long q4 = e_2 % 128;
        const long q5 = e_2 / 128;
        const long q6 = (128 * column_tile + q4) / (n1 * n2);
        const long q7 = (128 * column_tile + q4) % (n1 * n2);
        b_next[j_2] = 0.0f;
        if (128 * column_tile + q4 < n0 * n1 * n2) {
          float t1 = 0.0f;
          if (q5 < 6) {
            t1 = in_branches_x[n1 * n2 * q5 + 6 * n1 * n2 * q6 + q7];
          }
          b_next[j_2] = t1;
        }
      }
    }
    if (turn == 1) {
#pragma unroll 8
      for (long d = 0; d < 8; ++d) {
        float a[8];
        float b[8];
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&a_tile[16 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
        }
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[128 * d + 64 * v + 4 * q2], 0, &b[4 * v]);
        }
#pragma unroll 8
        for (long r = 0; r < 8; ++r) {
#pragma unroll 8
          for (long c = 0; c < 8; ++c) {
            sums[8 * r + c] = mad(a[r], b[c], sums[8 * r + c]);
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (turn == 0) {
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 32 * j;
        a_tile[e] = a_next[j];
      }
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
    if (r + 8 * q1 < 12) {
      const long i0 = r + 8 * q1;
#pragma unroll 2
      for (long v = 0; v < 2; ++v) {
#pragma unroll 4
        for (long lane = 0; lane < 4; ++lane) {
          if (128 * column_tile + 64 * v + lane + 4 * q2 < n0 * n1 * n2) {
            const long i1 = 128 * column_tile + 64 * v + lane + 4 * q2;
            const long q8 = i1 / (n1 * n2);
            const long q9 = i1 % (n1 * n2);
            out_branches_b1[n1 * n2 * i0 + 12 * n1 * n2 * q8 + q9] = burin_maximum_f32(sums[8 * r + 4 * v + lane], 0.0f);
          }
        }
      }
    }
  }
}

void joint_softmax_conv_relu_conv_sigmoid_2f5a491e_3(
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
  __local float* const a_tile = (__local float*)(room + 0);
  __local float* const b_tile = (__local float*)(room + 16);
  w_branches_a_conv_rows += at_w_branches_a_conv_rows;
  in_branches_x += at_in_branches_x;
  out_branches_joined += at_out_branches_joined;
  const long column_tile = (long)group;
  const long item = (long)get_local_id(0);
  const long q1 = item / 16;
  const long q2 = item % 16;
  float sums[32];
  float a_next[2];
  float b_next[32];
#pragma unroll 4
  for (long r = 0; r < 4; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  for (long turn = 0; turn < 2; ++turn) {
    if (turn == 0) {
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 32 * j;
        const long q3 = e / 8;
        float t0 = 0.0f;
        if (q3 < 6) {
          t0 = w_branches_a_conv_rows[e];
        }
        a_next[j] = t0;
      }
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        const long q4 = e_2 % 128;
        const long q5 = e_2 / 128;
        const long q6 = (128 * column_tile + q4) / (n1 * n2);
        const long q7 = (128 * column_tile + q4) % (n1 * n2);
        b_next[j_2] = 0.0f;
        if (128 * column_tile + q4 < n0 * n1 * n2) {
          float t1 = 0.0f;
          if (q5 < 6) {
            t1 = in_branches_x[n1 * n2 * q5 + 6 * n1 * n2 * q6 + q7];
          }
          b_next[j_2] = t1;
        }
      }
    }
    if (turn == 1) {
#pragma unroll 8
      for (long d = 0; d < 8; ++d) {
        float a[4];
        float b[8];
        vstore4(*(__local const float4*)&a_tile[8 * d + 4 * q1], 0, &a[0]);
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[128 * d + 64 * v + 4 * q2], 0, &b[4 * v]);
        }
#pragma unroll 4
        for (long r = 0; r < 4; ++r) {
#pragma unroll 8
          for (long c = 0; c < 8; ++c) {
            sums[8 * r + c] = mad(a[r], b[c], sums[8 * r + c]);
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (turn == 0) {
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 32 * j;
        a_tile[e] = a_next[j];
      }
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll 4
  for (long r = 0; r < 4; ++r) {
    const long i0 = r + 4 * q1;
#pragma unroll 2
    for (long v = 0; v < 2; ++v) {
#pragma unroll 4
      for (long lane = 0; lane < 4; ++lane) {
        if (128 * column_tile + lane + 64 * v + 4 * q2 < n0 * n1 * n2) {
          const long i1 = 128 * column_tile + lane + 64 * v + 4 * q2;
          const long q8 = i1 / (n1 * n2);
          const long q9 = i1 % (n1 * n2);
          out_branches_joined[n1 * n2 * i0 + 38 * n1 * n2 * q8 + q9] = burin_maximum_f32(sums[8 * r + lane + 4 * v], 0.0f);
        }
      }
    }
  }
}

void joint_softmax_conv_relu_conv_sigmoid_2f5a491e_4(
    __global const float* restrict in_branches_x,
    const ulong at_in_branches_x,
    __global const float* restrict w_branches_w_d,
    const ulong at_w_branches_w_d,
    __global float* restrict out_branches_joined,
    const ulong at_out_branches_joined,
    const long n1,
    const long n2,
    const int group) {
  in_branches_x += at_in_branches_x;
  w_branches_w_d += at_w_branches_w_d;
  out_branches_joined += at_out_branches_joined;
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  const long point2 = (long)(own_group / (n1 * ((n2 + 63) / 64)));
  const long q0 = point2 % 6;
  const long q1 = point2 / 6;
  const long i1 = q0;
  const long i0 = q1;
  const long i2 = (long)((own_group / (((n2 + 63) / 64))) % n1);
  const long i3 = (long)((own_group % (((n2 + 63) / 64))) * 64 + own_item);
  if (i3 >= n2) return;
  float sum0 = 0.0f;
  for (long i4 = max((long)0, (long)(-i2 + 1)); i4 < min((long)3, (long)(n1 - i2 + 1)); ++i4) {
    for (long i5 = max((long)0, (long)(-i3 + 1)); i5 < min((long)3, (long)(n2 - i3 + 1)); ++i5) {
      const float t0 = in_branches_x[6 * n1 * n2 * i0 + n1 * n2 * i1 - n2 + n2 * i2 + n2 * i4 + i3 + i5 - 1] * w_branches_w_d[9 * i1 + 3 * i4 + i5];
      sum0 += t0;
    }
  }
  out_branches_joined[32 * n1 * n2 + 38 * n1 * n2 * i0 + n1 * n2 * i1 + n2 * i2 + i3] = 1.0f / (exp((-sum0)) + 1.0f);
}

__kernel void joint_softmax_conv_relu_conv_sigmoid_2f5a491e(
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
    joint_softmax_conv_relu_conv_sigmoid_2f5a491e_0(
        in_softmax_x_0,
        at_in_softmax_x_0,
        out_softmax_last_0,
        at_out_softmax_last_0,
        n1_0,
        n2_0,
        group);
  } else if (group >= end_0 && group < end_1) {
    joint_softmax_conv_relu_conv_sigmoid_2f5a491e_1(
        in_softmax_x_1,
        at_in_softmax_x_1,
        out_softmax_middle_1,
        at_out_softmax_middle_1,
        n1_1,
        n2_1,
        group - end_0);
  } else if (group >= end_1 && group < end_2) {
    joint_softmax_conv_relu_conv_sigmoid_2f5a491e_2(
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
    joint_softmax_conv_relu_conv_sigmoid_2f5a491e_3(
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
    joint_softmax_conv_relu_conv_sigmoid_2f5a491e_4(
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
