// SPDX-License-Identifier: MIT-0
// contraction: Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu '/Relu_1'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1] = sum over i2 i3: weights[0, 8*i2 + i3, i0] * {0 <= (i2 div 9) + 2*((i1 div 4) mod 4) - 1 < 8 && 0 <=
//       2*(i1 mod 4) + ((i2 div 3) mod 3) - 1 < 8: input[(i1 div 16), i3 + 8*(i2 mod 3), (i2 div 9) + 2*((i1 div 4) mod
//       4) - 1, 2*(i1 mod 4) + ((i2 div 3) mod 3) - 1]; else 0}
//   output[i1 div 16, i0, (i1 div 4) mod 4, i1 mod 4] := max((sum0[i0, i1] + bias[i0]), 0)
//
// weights  f32[1, 216, 64], strides [13824, 64, 1], constant '/down/conv/Conv_rows'
// input    f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// bias     f32[48], constant 'down.norm.bias_folded'
// output   f32[batch, 48, 4, 4], strides [768, 16, 4, 1]
// n0       batch
//
// tiles of 64 x 128 for 48 x 16*batch x 216, 8 x 8 by each of 128 work-items
__kernel void conv_batch_normalization_relu_a9f5bea3(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output,
    const long n0) {
  __local float a_tile[512] __attribute__((aligned(16)));
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
  float b_next[8];
  // Sets sums to a constant.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  // Computes a_tile, a_next, b_tile, b_next and sums from weights and input.
  for (long turn = 0; turn < 28; ++turn) {
    // Copies weights and input to a_next and b_next.
    if (turn < 27) {
      const long i2 = turn;
      const long q3 = i2 / 9;
      const long q4 = i2 / 3;
      const long q5 = q4 % 3;
      const long q6 = i2 % 3;
      // Copies weights to a_next.
      vstore4(*(__global const float4*)&weights[512 * i2 + 4 * item], 0, &a_next[0]);
      // Copies input to b_next.
#pragma unroll 8
      for (long j = 0; j < 8; ++j) {
        const long e = item + 128 * j;
        const long q7 = e % 128;
        const long q8 = q7 / 4;
        const long q9 = q8 % 4;
        const long q10 = e % 4;
        const long q11 = e / 128;
        const long q12 = q7 / 16;
        b_next[j] = 0.0f;
        if (128 * column_tile + q7 < 16 * n0) {
          float t0 = 0.0f;
          if (q3 + 2 * q9 - 1 >= 0 && 2 * q10 + q5 - 1 >= 0) {
            const float t1 =
                input[12288 * column_tile + 8 * q3 + 64 * q11 + 1536 * q12 + 512 * q6 + 2 * q10 + q5 + 16 * q9 - 9];
            t0 = t1;
          }
          b_next[j] = t0;
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
          vstore4(*(__local const float4*)&a_tile[64 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
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
    if (turn < 27) {
      // Copies a_next to a_tile.
      *(__local float4*)&a_tile[4 * item] = vload4(0, &a_next[0]);
      // Copies b_next to b_tile.
#pragma unroll 8
      for (long j = 0; j < 8; ++j) {
        const long e = item + 128 * j;
        b_tile[e] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from bias and sums.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
    if (r + 8 * q1 < 48) {
      const long i0 = r + 8 * q1;
#pragma unroll 2
      for (long v = 0; v < 2; ++v) {
#pragma unroll 4
        for (long lane = 0; lane < 4; ++lane) {
          if (128 * column_tile + lane + 64 * v + 4 * q2 < 16 * n0) {
            const long i1 = 128 * column_tile + lane + 64 * v + 4 * q2;
            const long q13 = i1 / 16;
            const long q14 = i1 % 16;
            output[16 * i0 + 768 * q13 + q14] = burin_maximum_f32((sums[8 * r + lane + 4 * v] + bias[i0]), 0.0f);
          }
        }
      }
    }
  }
}
