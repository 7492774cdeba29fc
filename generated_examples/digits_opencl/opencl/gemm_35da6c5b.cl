// SPDX-License-Identifier: MIT-0
// contraction: Flatten '/Flatten', Gemm '/classify/Gemm'
//   Flatten: axis=1
//   Gemm: alpha=1, beta=1, transB=1
//
//   sum0[i0, i1] = sum over i2 i3: input[i0, 16*i2 + i3, 0, 0] * weights[0, 16*i2 + i3, i1]
//   output[i0, i1] := sum0[i0, i1] + bias[i1]
//
// input    f32[batch, 48, 1, 1], strides [48, 1, 1, 1]
// weights  f32[1, 48, 16], strides [768, 16, 1], constant '/classify/Gemm_columns'
// bias     f32[10], constant 'classify.bias'
// output   f32[batch, 10], strides [10, 1]
// n0       batch
//
// tiles of 8 x 16 for batch x 10 x 48, 2 x 4 by each of 16 work-items
__kernel void gemm_35da6c5b(
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output,
    const long n0) {
  __local float a_tile[192] __attribute__((aligned(16)));
  __local float b_tile[256] __attribute__((aligned(16)));
  input += at_input;
  weights += at_weights;
  bias += at_bias;
  output += at_output;
  // Computes output from input, weights and bias.
  const long row_tile = (long)get_group_id(1);
  const long item = (long)get_local_id(0);
  const long q1 = item / 4;
  const long q2 = item % 4;
  float sums[8];
  float a_next[8];
  float b_next[16];
  // Sets sums to a constant.
#pragma unroll 2
  for (long r = 0; r < 2; ++r) {
#pragma unroll 4
    for (long c = 0; c < 4; ++c) {
      sums[4 * r + c] = 0.0f;
    }
  }
  // Computes a_tile, a_next, b_tile, b_next and sums from input and weights.
  for (long turn = 0; turn < 4; ++turn) {
    // Copies input and weights to a_next and b_next.
    if (turn < 3) {
      const long i2 = turn;
      // Copies input to a_next.
#pragma unroll 8
      for (long j = 0; j < 8; ++j) {
        const long e = item + 16 * j;
        const long q3 = e / 16;
        const long q4 = e % 16;
        a_next[j] = 0.0f;
        if (8 * row_tile + q3 < n0) {
          a_next[j] = input[16 * i2 + 384 * row_tile + 48 * q3 + q4];
        }
      }
      // Copies weights to b_next.
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 16 * j_2;
        vstore4(*(__global const float4*)&weights[256 * i2 + 4 * e_2], 0, &b_next[4 * j_2]);
      }
    }
    // Computes sums from a_tile and b_tile.
    if (turn >= 1) {
#pragma unroll 16
      for (long d = 0; d < 16; ++d) {
        float a[2];
        float b[4];
        // Copies a_tile to a.
#pragma unroll 2
        for (long r = 0; r < 2; ++r) {
          a[r] = a_tile[r + 12 * d + 2 * q1];
        }
        // Copies b_tile to b.
        vstore4(*(__local const float4*)&b_tile[16 * d + 4 * q2], 0, &b[0]);
        // Adds products of a and b to sums.
#pragma unroll 2
        for (long r = 0; r < 2; ++r) {
#pragma unroll 4
          for (long c = 0; c < 4; ++c) {
            sums[4 * r + c] = mad(a[r], b[c], sums[4 * r + c]);
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Copies a_next and b_next to a_tile and b_tile.
    if (turn < 3) {
      // Copies a_next to a_tile.
#pragma unroll 8
      for (long j = 0; j < 8; ++j) {
        const long e = item + 16 * j;
        const long q5 = e / 16;
        const long q6 = e % 16;
        a_tile[q5 + 12 * q6] = a_next[j];
      }
      // Copies b_next to b_tile.
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 16 * j_2;
        *(__local float4*)&b_tile[4 * e_2] = vload4(0, &b_next[4 * j_2]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Computes output from bias and sums.
#pragma unroll 2
  for (long r = 0; r < 2; ++r) {
    if (8 * row_tile + r + 2 * q1 < n0) {
      const long i0 = 8 * row_tile + r + 2 * q1;
#pragma unroll 4
      for (long lane = 0; lane < 4; ++lane) {
        if (lane + 4 * q2 < 10) {
          const long i1 = lane + 4 * q2;
          output[10 * i0 + i1] = sums[4 * r + lane] + bias[i1];
        }
      }
    }
  }
}
