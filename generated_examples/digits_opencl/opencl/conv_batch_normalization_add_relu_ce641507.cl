// SPDX-License-Identifier: MIT-0
// contraction: Conv '/separable/pointwise/conv/Conv', BatchNormalization
// '/separable/pointwise/norm/BatchNormalization', Add '/separable/Add', Relu '/separable/Relu_1'
//   Conv: dilations=[1, 1], group=1, kernel_shape=[1, 1], pads=[0, 0, 0, 0], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1] = sum over i2 i3: weights[0, 8*i2 + i3, i0] * input0[(i1 div 64), 8*i2 + i3, ((i1 div 8) mod 8), (i1
//       mod 8)]
//   output[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] := max((input1[(i1 div 64), i0, ((i1 div 8) mod 8), (i1 mod 8)] +
//       (sum0[i0, i1] + bias[i0])), 0)
//
// weights  f32[1, 24, 32], strides [768, 32, 1], constant '/separable/pointwise/conv/Conv_rows'
// input0   f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// input1   f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// bias     f32[24], constant 'separable.pointwise.norm.bias_folded'
// output   f32[batch, 24, 8, 8], strides [1536, 64, 8, 1]
// n0       batch
//
// tiles of 32 x 128 for 24 x 64*batch x 24, 8 x 8 by each of 64 work-items
__kernel void conv_batch_normalization_add_relu_ce641507(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input0,
    const ulong at_input0,
    __global const float* restrict input1,
    const ulong at_input1,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output,
    const long n0) {
  __local float a_tile[256] __attribute__((aligned(16)));
  __local float b_tile[1024] __attribute__((aligned(16)));
  weights += at_weights;
  input0 += at_input0;
  input1 += at_input1;
  bias += at_bias;
  output += at_output;
  // Computes output from weights, input0, input1 and bias.
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
  // Computes a_tile, a_next, b_tile, b_next and sums from weights and input0.
  for (long turn = 0; turn < 4; ++turn) {
    // Copies weights and input0 to a_next and b_next.
    if (turn < 3) {
      const long i2 = turn;
      // Copies weights to a_next.
      vstore4(*(__global const float4*)&weights[256 * i2 + 4 * item], 0, &a_next[0]);
      // Copies input0 to b_next.
#pragma unroll 16
      for (long j = 0; j < 16; ++j) {
        const long e = item + 64 * j;
        const long q3 = e % 128;
        const long q4 = e / 128;
        const long q5 = q3 / 64;
        const long q6 = e % 8;
        const long q7 = q3 / 8;
        const long q8 = q7 % 8;
        b_next[j] = 0.0f;
        if (128 * column_tile + q3 < 64 * n0) {
          b_next[j] = input0[512 * i2 + 3072 * column_tile + 64 * q4 + 1536 * q5 + q6 + 8 * q8];
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
    if (turn < 3) {
      // Copies a_next to a_tile.
      *(__local float4*)&a_tile[4 * item] = vload4(0, &a_next[0]);
      // Copies b_next to b_tile.
#pragma unroll 16
      for (long j = 0; j < 16; ++j) {
        const long e = item + 64 * j;
        b_tile[e] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from input1, bias and sums.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
    if (r + 8 * q1 < 24) {
      const long i0 = r + 8 * q1;
#pragma unroll 2
      for (long v = 0; v < 2; ++v) {
#pragma unroll 4
        for (long lane = 0; lane < 4; ++lane) {
          if (128 * column_tile + lane + 64 * v + 4 * q2 < 64 * n0) {
            const long i1 = 128 * column_tile + lane + 64 * v + 4 * q2;
            const long q9 = i1 / 64;
            const long q10 = i1 % 64;
            const float t0 = burin_maximum_f32(
                (input1[64 * i0 + 1536 * q9 + q10] + (sums[8 * r + lane + 4 * v] + bias[i0])), 0.0f);
            output[64 * i0 + 1536 * q9 + q10] = t0;
          }
        }
      }
    }
  }
}
