// SPDX-License-Identifier: MIT-0
// contraction: Conv '/inverted/expand/conv/Conv', BatchNormalization '/inverted/expand/norm/BatchNormalization', Relu
// '/inverted/Relu'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[1, 1], pads=[0, 0, 0, 0], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1] = sum over i2 i3: weights[0, 8*i2 + i3, i0] * input[(i1 div 16), 8*i2 + i3, ((i1 div 4) mod 4), (i1
//       mod 4)]
//   output[i1 div 16, i0, (i1 div 4) mod 4, i1 mod 4] := max((sum0[i0, i1] + bias[i0]), 0)
//
// weights  f32[1, 48, 128], strides [6144, 128, 1], constant '/inverted/expand/conv/Conv_rows'
// input    f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// bias     f32[96], constant 'inverted.expand.norm.bias_folded'
// output   f32[batch, 96, 4, 4], strides [1536, 16, 4, 1]
// n0       batch
//
// tiles of 128 x 64 for 96 x 16*batch x 48, 8 x 8 by each of 128 work-items
__kernel void conv_batch_normalization_relu_36715967(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output,
    const long n0) {
  __local float a_tile[1024] __attribute__((aligned(16)));
  __local float b_tile[512] __attribute__((aligned(16)));
  weights += at_weights;
  input += at_input;
  bias += at_bias;
  output += at_output;
  // Computes output from weights, input and bias.
  const long column_tile = (long)get_group_id(0);
  const long item = (long)get_local_id(0);
  const long q1 = item / 8;
  const long q2 = item % 8;
  float sums[64];
  float a_next[8];
  float b_next[4];
  // Sets sums to a constant.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  // Computes a_tile, a_next, b_tile, b_next and sums from weights and input.
  for (long turn = 0; turn < 7; ++turn) {
    // Copies weights and input to a_next and b_next.
    if (turn < 6) {
      const long i2 = turn;
      // Copies weights to a_next.
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 128 * j;
        vstore4(*(__global const float4*)&weights[1024 * i2 + 4 * e], 0, &a_next[4 * j]);
      }
      // Copies input to b_next.
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 128 * j_2;
        const long q3 = e_2 % 64;
        const long q4 = e_2 / 64;
        const long q5 = q3 / 16;
        const long q6 = e_2 % 4;
        const long q7 = q3 / 4;
        const long q8 = q7 % 4;
        b_next[j_2] = 0.0f;
        if (64 * column_tile + q3 < 16 * n0) {
          b_next[j_2] = input[128 * i2 + 3072 * column_tile + 16 * q4 + 768 * q5 + q6 + 4 * q8];
        }
      }
    }
    // Computes sums from a_tile and b_tile.
    if (turn >= 1) {
#pragma unroll 8
      for (long d = 0; d < 8; ++d) {
        float a[8];
        float b[8];
        // Copies a_tile to a.
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&a_tile[128 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
        }
        // Copies b_tile to b.
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[64 * d + 32 * v + 4 * q2], 0, &b[4 * v]);
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
    if (turn < 6) {
      // Copies a_next to a_tile.
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 128 * j;
        *(__local float4*)&a_tile[4 * e] = vload4(0, &a_next[4 * j]);
      }
      // Copies b_next to b_tile.
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 128 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from bias and sums.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
    if (r + 8 * q1 < 96) {
      const long i0 = r + 8 * q1;
#pragma unroll 2
      for (long v = 0; v < 2; ++v) {
#pragma unroll 4
        for (long lane = 0; lane < 4; ++lane) {
          if (64 * column_tile + lane + 32 * v + 4 * q2 < 16 * n0) {
            const long i1 = 64 * column_tile + lane + 32 * v + 4 * q2;
            const long q9 = i1 / 16;
            const long q10 = i1 % 16;
            output[16 * i0 + 1536 * q9 + q10] = burin_maximum_f32((sums[8 * r + lane + 4 * v] + bias[i0]), 0.0f);
          }
        }
      }
    }
  }
}
