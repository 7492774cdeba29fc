// SPDX-License-Identifier: MIT-0
// joint launch: Softmax 'softmax.last', 'softmax.middle', Conv 'branches.b/reduce', 'branches.a/conv',
// 'branches.d/depthwise', Relu 'branches.b/relu', 'branches.a/relu', Concat 'branches.join', 'branches.join', Sigmoid
// 'branches.d/gate'
//   Softmax 'softmax.last': axis=-1
//   Softmax 'softmax.middle': axis=1
//   Concat: axis=1
//   Conv 'branches.d/depthwise': group=6, pads=[1, 1, 1, 1]
//
//   member 0, work-groups: 2*"softmax.batch"*(("softmax.rows" + 63) // 64) from 0 on
//     greatest0[i0, i1] = max over i2: input[i0, i1, i2]
//     sum1[i0, i1] = sum over i2: exp((input[i0, i1, i2] - greatest0[i0, i1]))
//     output[i0, i1, i2] := exp((input[i0, i1, i2] - greatest0[i0, i1])) / sum1[i0, i1]
//   member 1, work-groups: 2*"softmax.batch"*(("softmax.cols" + 63) // 64) from 2*"softmax.batch"*(("softmax.rows" +
//       63) // 64) on
//     greatest0[i0, i2] = max over i1: input[i0, i1, i2]
//     sum1[i0, i2] = sum over i1: exp((input[i0, i1, i2] - greatest0[i0, i2]))
//     output[i0, i1, i2] := exp((input[i0, i1, i2] - greatest0[i0, i2])) / sum1[i0, i2]
//   member 2, work-groups: (("branches.batch"*"branches.h"*"branches.w" + 127) // 128) from
//       2*"softmax.batch"*(("softmax.cols" + 63) // 64) + 2*"softmax.batch"*(("softmax.rows" + 63) // 64) on
//     sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: weights[0, i3, i0]; else 0} * {0 <= i3 < 6: input[(i1 div (n1*n2)),
//       i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
//     output[i1 div (n1*n2), i0, (i1 div n2) mod n1, i1 mod n2] := max(sum0[i0, i1], 0)
//   member 3, work-groups: (("branches.batch"*"branches.h"*"branches.w" + 127) // 128) from
//       2*"softmax.batch"*(("softmax.cols" + 63) // 64) + 2*"softmax.batch"*(("softmax.rows" + 63) // 64) +
//       (("branches.batch"*"branches.h"*"branches.w" + 127) // 128) on
//     sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: weights[0, i3, i0]; else 0} * {0 <= i3 < 6: input[(i1 div (n1*n2)),
//       i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
//     output[i1 div (n1*n2), i0, (i1 div n2) mod n1, i1 mod n2] := max(sum0[i0, i1], 0)
//   member 4, work-groups: 12*"branches.batch"*"branches.h"*(("branches.w" + 63) // 64) from
//       2*"softmax.batch"*(("softmax.cols" + 63) // 64) + 2*"softmax.batch"*(("softmax.rows" + 63) // 64) +
//       2*(("branches.batch"*"branches.h"*"branches.w" + 127) // 128) on
//     sum0[i0, i1, i2, i3] = sum over i4 i5: {0 <= i2 + i4 - 1 < n1 && 0 <= i3 + i5 - 1 < n2: input[i0, i1, i2 + i4 -
//       1, i3 + i5 - 1]; else 0} * weights[i1, 0, i4, i5]
//     output[i0, i1 + 32, i2, i3] := 1 / (exp(neg(sum0[i0, i1, i2, i3])) + 1)
//
// input_0    f32["softmax.batch", "softmax.rows", "softmax.cols"], strides ["softmax.cols"*"softmax.rows",
//            "softmax.cols", 1], input of the network 'softmax.x'
// weights_2  f32[1, 6, 16], strides [96, 16, 1], constant 'branches.b/reduce_rows'
// input_2    f32["branches.batch", 6, "branches.h", "branches.w"], strides [6*"branches.h"*"branches.w",
//            "branches.h"*"branches.w", "branches.w", 1], input of the network 'b ...
// weights_3  f32[1, 6, 8], strides [48, 8, 1], constant 'branches.a/conv_rows'
// weights_4  f32[6, 1, 3, 3], strides [9, 9, 3, 1], constant 'branches.w_d'
// output_0   f32["softmax.batch", "softmax.rows", "softmax.cols"], strides ["softmax.cols"*"softmax.rows",
//            "softmax.cols", 1], output of the network 'softmax.last'
// output_1   f32["softmax.batch", "softmax.rows", "softmax.cols"], strides ["softmax.cols"*"softmax.rows",
//            "softmax.cols", 1], output of the network 'softmax.middle'
// output_2   f32["branches.batch", 12, "branches.h", "branches.w"], strides [12*"branches.h"*"branches.w",
//            "branches.h"*"branches.w", "branches.w", 1]
// output_3   f32["branches.batch", 38, "branches.h", "branches.w"], strides [38*"branches.h"*"branches.w",
//            "branches.h"*"branches.w", "branches.w", 1]
// n1         softmax.cols
// n2         softmax.rows
// n0         branches.batch
// n1         branches.h
// n2         branches.w
//
// independent kernels share the device: each work-group of 32 belongs to one of them
void joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_0(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2,
    const int group) {
  input += at_input;
  output += at_output;
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  // Computes output from input.
  const long i0 = (long)(own_group / (((n2 + 63) / 64)));
  const long i1 = (long)((own_group % (((n2 + 63) / 64))) * 64 + own_item);
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

void joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_1(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2,
    const int group) {
  input += at_input;
  output += at_output;
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  // Computes output from input.
  const long i0 = (long)(own_group / (((n1 + 63) / 64)));
  const long i2 = (long)((own_group % (((n1 + 63) / 64))) * 64 + own_item);
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

void joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_2(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n0,
    const long n1,
    const long n2,
    const int group,
    __local float4* const room) {
  __local float* const a_tile = (__local float*)(room + 0);
  __local float* const b_tile = (__local float*)(room + 32);
  weights += at_weights;
  input += at_input;
  output += at_output;
  // Computes output from weights and input.
  const long column_tile = (long)group;
  const long item = (long)get_local_id(0);
  const long q1 = item / 16;
  const long q2 = item % 16;
  float sums[64];
  float a_next[4];
  float b_next[32];
  // Sets sums to a constant.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  // Computes a_tile, a_next, b_tile, b_next and sums from weights and input.
  for (long turn = 0; turn < 2; ++turn) {
    // Copies weights and input to a_next and b_next.
    if (turn == 0) {
      // Copies weights to a_next.
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 32 * j;
        const long q3 = e / 16;
        float t0 = 0.0f;
        if (q3 < 6) {
          t0 = weights[e];
        }
        a_next[j] = t0;
      }
      // Copies input to b_next.
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
            t1 = input[n1 * n2 * q5 + 6 * n1 * n2 * q6 + q7];
          }
          b_next[j_2] = t1;
        }
      }
    }
    // Computes sums from a_tile and b_tile.
    if (turn == 1) {
#pragma unroll 8
      for (long d = 0; d < 8; ++d) {
        float a[8];
        float b[8];
        // Copies a_tile to a.
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&a_tile[16 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
        }
        // Copies b_tile to b.
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[128 * d + 64 * v + 4 * q2], 0, &b[4 * v]);
        }
        // Adds products of a and b to sums.
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
    // Copies a_next and b_next to a_tile and b_tile.
    if (turn == 0) {
      // Copies a_next to a_tile.
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 32 * j;
        a_tile[e] = a_next[j];
      }
      // Copies b_next to b_tile.
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from sums.
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
            output[n1 * n2 * i0 + 12 * n1 * n2 * q8 + q9] = burin_maximum_f32(sums[8 * r + 4 * v + lane], 0.0f);
          }
        }
      }
    }
  }
}

void joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_3(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n0,
    const long n1,
    const long n2,
    const int group,
    __local float4* const room) {
  __local float* const a_tile = (__local float*)(room + 0);
  __local float* const b_tile = (__local float*)(room + 16);
  weights += at_weights;
  input += at_input;
  output += at_output;
  // Computes output from weights and input.
  const long column_tile = (long)group;
  const long item = (long)get_local_id(0);
  const long q1 = item / 16;
  const long q2 = item % 16;
  float sums[32];
  float a_next[2];
  float b_next[32];
  // Sets sums to a constant.
#pragma unroll 4
  for (long r = 0; r < 4; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  // Computes a_tile, a_next, b_tile, b_next and sums from weights and input.
  for (long turn = 0; turn < 2; ++turn) {
    // Copies weights and input to a_next and b_next.
    if (turn == 0) {
      // Copies weights to a_next.
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 32 * j;
        const long q3 = e / 8;
        float t0 = 0.0f;
        if (q3 < 6) {
          t0 = weights[e];
        }
        a_next[j] = t0;
      }
      // Copies input to b_next.
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
            t1 = input[n1 * n2 * q5 + 6 * n1 * n2 * q6 + q7];
          }
          b_next[j_2] = t1;
        }
      }
    }
    // Computes sums from a_tile and b_tile.
    if (turn == 1) {
#pragma unroll 8
      for (long d = 0; d < 8; ++d) {
        float a[4];
        float b[8];
        // Copies a_tile to a.
        vstore4(*(__local const float4*)&a_tile[8 * d + 4 * q1], 0, &a[0]);
        // Copies b_tile to b.
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[128 * d + 64 * v + 4 * q2], 0, &b[4 * v]);
        }
        // Adds products of a and b to sums.
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
    // Copies a_next and b_next to a_tile and b_tile.
    if (turn == 0) {
      // Copies a_next to a_tile.
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 32 * j;
        a_tile[e] = a_next[j];
      }
      // Copies b_next to b_tile.
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from sums.
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
          output[n1 * n2 * i0 + 38 * n1 * n2 * q8 + q9] = burin_maximum_f32(sums[8 * r + lane + 4 * v], 0.0f);
        }
      }
    }
  }
}

void joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_4(
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict weights,
    const ulong at_weights,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2,
    const int group) {
  input += at_input;
  weights += at_weights;
  output += at_output;
  const long place = (long)group * 32 + (int)get_local_id(0);
  const int own_item = (int)(place % 64);
  const long own_group = place / 64;
  // Computes output from input and weights.
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
      const float t0 =
          input[6 * n1 * n2 * i0 + n1 * n2 * i1 - n2 + n2 * i2 + n2 * i4 + i3 + i5 - 1] * weights[9 * i1 + 3 * i4 + i5];
      sum0 += t0;
    }
  }
  output[32 * n1 * n2 + 38 * n1 * n2 * i0 + n1 * n2 * i1 + n2 * i2 + i3] = 1.0f / (exp((-sum0)) + 1.0f);
}

__kernel void joint_softmax_conv_relu_conv_sigmoid_7b2fdfec(
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
    __global const float* restrict weights_2,
    const ulong at_weights_2,
    __global const float* restrict input_2,
    const ulong at_input_2,
    __global float* restrict output_2,
    const ulong at_output_2,
    const long n0_2,
    const long n1_2,
    const long n2_2,
    __global const float* restrict weights_3,
    const ulong at_weights_3,
    __global const float* restrict input_3,
    const ulong at_input_3,
    __global float* restrict output_3,
    const ulong at_output_3,
    const long n0_3,
    const long n1_3,
    const long n2_3,
    __global const float* restrict input_4,
    const ulong at_input_4,
    __global const float* restrict weights_4,
    const ulong at_weights_4,
    __global float* restrict output_4,
    const ulong at_output_4,
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
    joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_0(input_0, at_input_0, output_0, at_output_0, n1_0, n2_0, group);
  } else if (group >= end_0 && group < end_1) {
    joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_1(
        input_1,
        at_input_1,
        output_1,
        at_output_1,
        n1_1,
        n2_1,
        group - end_0);
  } else if (group >= end_1 && group < end_2) {
    joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_2(
        weights_2,
        at_weights_2,
        input_2,
        at_input_2,
        output_2,
        at_output_2,
        n0_2,
        n1_2,
        n2_2,
        group - end_1,
        room);
  } else if (group >= end_2 && group < end_3) {
    joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_3(
        weights_3,
        at_weights_3,
        input_3,
        at_input_3,
        output_3,
        at_output_3,
        n0_3,
        n1_3,
        n2_3,
        group - end_2,
        room);
  } else if (group >= end_3 && group < end_4) {
    joint_softmax_conv_relu_conv_sigmoid_7b2fdfec_4(
        input_4,
        at_input_4,
        weights_4,
        at_weights_4,
        output_4,
        at_output_4,
        n1_4,
        n2_4,
        group - end_3);
  }
}
