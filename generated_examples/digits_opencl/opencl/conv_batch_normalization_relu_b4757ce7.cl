// SPDX-License-Identifier: MIT-0
// contraction: Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu '/Relu'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= 8*i2 + i3 < 9: weights[0, 8*i2 + i3, i0]; else 0} * {0 <= 8*i2 + i3 < 9: {0 <=
//       ((2*i2 + i3) mod 3) + ((i1 div 8) mod 8) - 1 < 8 && 0 <= 2*i2 + ((2*i2 + i3) div 3) + (i1 mod 8) - 1 < 8:
//       input[(i1 div 64), 0, ((2*i2 + i3) mod 3) + ((i1 div 8) mod 8) - 1, 2*i2 + ((2*i2 + i3) div 3) + (i1 mod 8) -
//       1]; else 0}; else 0}
//   output[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] := max((sum0[i0, i1] + bias[i0]), 0)
//
// weights  f32[1, 9, 32], strides [288, 32, 1], constant '/stem/conv/Conv_rows'
// input    f32[batch, 1, 8, 8], strides [64, 64, 8, 1], input of the network 'image'
// bias     f32[24], constant 'stem.norm.bias_folded'
// output   f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// n0       batch
//
// tiles of 32 x 128 for 24 x 64*batch x 9, 8 x 8 by each of 64 work-items
__kernel void conv_batch_normalization_relu_b4757ce7(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output,
    const long n0) {
  __local float a_tile[256] __attribute__((aligned(16)));
  __local float b_tile[1024] __attribute__((aligned(16)));
  weights += at_weights;
  input += at_input;
  bias += at_bias;
  output += at_output;
  // Computes output from weights, input and bias.
  const long column_tile = (long)get_group_id(0);
  const long item = (long)get_local_id(0);
  const long q1 = item / 16;
  const long q2 = item % 16;
  float sums[64];
  float a_next[4];
  float b_next[16];
  // Sets sums to a constant.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  // Computes a_tile, a_next, b_tile, b_next and sums from weights and input.
  for (long turn = 0; turn < 3; ++turn) {
    // Copies weights and input to a_next and b_next.
    if (turn < 2) {
      const long i2 = turn;
      // Copies weights to a_next.
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 64 * j;
        const long q3 = e / 32;
        float t0 = 0.0f;
        if (8 * i2 + q3 < 9) {
          t0 = weights[256 * i2 + e];
        }
        a_next[j] = t0;
      }
      // Copies input to b_next.
#pragma unroll 16
      for (long j_2 = 0; j_2 < 16; ++j_2) {
        const long e_2 = item + 64 * j_2;
        const long q4 = e_2 % 128;
        const long q5 = e_2 / 128;
        const long q6 = (2 * i2 + q5) % 3;
        const long q7 = q4 / 8;
        const long q8 = q7 % 8;
        const long q9 = (2 * i2 + q5) / 3;
        const long q10 = e_2 % 8;
        b_next[j_2] = 0.0f;
        if (128 * column_tile + q4 < 64 * n0) {
          float t1 = 0.0f;
          if (8 * i2 + q5 < 9) {
            float t2 = 0.0f;
            if (q6 + q8 - 1 >= 0 && q6 + q8 - 1 < 8 && 2 * i2 + q9 + q10 - 1 >= 0 && 2 * i2 + q9 + q10 - 1 < 8) {
              t2 = input[2 * i2 + 128 * column_tile + q9 + q4 + 8 * q6 - 9];
            }
            t1 = t2;
          }
          b_next[j_2] = t1;
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
          vstore4(*(__local const float4*)&a_tile[32 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
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
    if (turn < 2) {
      // Copies a_next to a_tile.
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 64 * j;
        a_tile[e] = a_next[j];
      }
      // Copies b_next to b_tile.
#pragma unroll 16
      for (long j_2 = 0; j_2 < 16; ++j_2) {
        const long e_2 = item + 64 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from bias and sums.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
    if (r + 8 * q1 < 24) {
      const long i0 = r + 8 * q1;
#pragma unroll 2
      for (long v = 0; v < 2; ++v) {
#pragma unroll 4
        for (long lane = 0; lane < 4; ++lane) {
          if (128 * column_tile + 64 * v + lane + 4 * q2 < 64 * n0) {
            const long i1 = 128 * column_tile + 64 * v + lane + 4 * q2;
            const long q11 = i1 / 64;
            const long q12 = i1 % 64;
            output[64 * i0 + 1536 * q11 + q12] = burin_maximum_f32((sums[8 * r + 4 * v + lane] + bias[i0]), 0.0f);
          }
        }
      }
    }
  }
}
