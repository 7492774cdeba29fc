// SPDX-License-Identifier: MIT-0
// contraction: Conv 'b/conv', Concat 'join'
//   Conv: pads=[1, 1, 1, 1]
//   Concat: axis=1
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= 8*i2 + i3 < 108: weights[0, 8*i2 + i3, i0]; else 0} * {0 <= 8*i2 + i3 < 108:
//       {0 <= ((8*i2 + i3) div 36) + ((i1 div n2) mod n1) - 1 < n1 && 0 <= (i1 mod n2) + (((8*i2 + i3) div 12) mod 3) -
//       1 < n2: input[(i1 div (n1*n2)), ((8*i2 + i3) mod 12), ((8*i2 + i3) div 36) + ((i1 div n2) mod n1) - 1, (i1 mod
//       n2) + (((8*i2 + i3) div 12) mod 3) - 1]; else 0}; else 0}
//   output[i1 div (n1*n2), i0 + 8, (i1 div n2) mod n1, i1 mod n2] := sum0[i0, i1]
//
// weights  f32[1, 108, 16], strides [1728, 16, 1], constant 'b/conv_rows'
// input    f32[batch, 12, h, w], strides [12*h*w, h*w, w, 1]
// output   f32[batch, 38, h, w], strides [38*h*w, h*w, w, 1]
// n0       batch
// n1       h
// n2       w
//
// tiles of 16 x 128 for 16 x batch*h*w x 108, 8 x 8 by each of 32 work-items
__kernel void conv_2f878af7(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n0,
    const long n1,
    const long n2) {
  __local float a_tile[128] __attribute__((aligned(16)));
  __local float b_tile[1024] __attribute__((aligned(16)));
  weights += at_weights;
  input += at_input;
  output += at_output;
  // Computes output from weights and input.
  const long column_tile = (long)get_group_id(0);
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
  for (long turn = 0; turn < 15; ++turn) {
    // Copies weights and input to a_next and b_next.
    if (turn < 14) {
      const long i2 = turn;
      // Copies weights to a_next.
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 32 * j;
        const long q3 = e / 16;
        float t0 = 0.0f;
        if (8 * i2 + q3 < 108) {
          t0 = weights[128 * i2 + e];
        }
        a_next[j] = t0;
      }
      // Copies input to b_next.
#pragma unroll 32
      for (long j_2 = 0; j_2 < 32; ++j_2) {
        const long e_2 = item + 32 * j_2;
        const long q4 = e_2 % 128;
        const long q5 = e_2 / 128;
        const long q6 = (8 * i2 + q5) / 36;
        const long q7 = (128 * column_tile + q4) / n2;
        const long q8 = q7 % n1;
        const long q9 = (128 * column_tile + q4) % n2;
        const long q10 = (8 * i2 + q5) / 12;
        const long q11 = q10 % 3;
        const long q12 = (128 * column_tile + q4) / (n1 * n2);
        const long q13 = (8 * i2 + q5) % 12;
        const long q14 = (128 * column_tile + q4) % (n1 * n2);
        b_next[j_2] = 0.0f;
        if (128 * column_tile + q4 < n0 * n1 * n2) {
          float t1 = 0.0f;
          if (8 * i2 + q5 < 108) {
            float t2 = 0.0f;
            if (q6 + q8 - 1 >= 0 && q6 + q8 - 1 < n1 && q9 + q11 - 1 >= 0 && q9 + q11 - 1 < n2) {
              t2 = input[12 * n1 * n2 * q12 + n1 * n2 * q13 - n2 + n2 * q6 + q14 + q11 - 1];
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
    if (turn < 14) {
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
  // Copies sums to output.
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
    const long i0 = r + 8 * q1;
#pragma unroll 2
    for (long v = 0; v < 2; ++v) {
#pragma unroll 4
      for (long lane = 0; lane < 4; ++lane) {
        if (128 * column_tile + 64 * v + lane + 4 * q2 < n0 * n1 * n2) {
          const long i1 = 128 * column_tile + 64 * v + lane + 4 * q2;
          const long q15 = i1 / (n1 * n2);
          const long q16 = i1 % (n1 * n2);
          output[8 * n1 * n2 + n1 * n2 * i0 + 38 * n1 * n2 * q15 + q16] = sums[8 * r + 4 * v + lane];
        }
      }
    }
  }
}
