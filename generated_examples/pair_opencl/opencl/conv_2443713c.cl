// SPDX-License-Identifier: MIT-0
// contraction: Conv 'c/project', Concat 'join'
//   Concat: axis=1
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: weights[0, i3, i0]; else 0} * {0 <= i3 < 6: input[(i1 div (n1*n2)),
//       i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
//   output[i1 div (n1*n2), i0 + 24, (i1 div n2) mod n1, i1 mod n2] := sum0[i0, i1]
//
// weights  f32[1, 6, 8], strides [48, 8, 1], constant 'c/project_rows'
// input    f32[batch, 6, h, w], strides [6*h*w, h*w, w, 1]
// output   f32[batch, 38, h, w], strides [38*h*w, h*w, w, 1]
// n0       batch
// n1       h
// n2       w
//
// tiles of 8 x 128 for 8 x batch*h*w x 6, 4 x 8 by each of 32 work-items
__kernel void conv_2443713c(
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n0,
    const long n1,
    const long n2) {
  __local float a_tile[64] __attribute__((aligned(16)));
  __local float b_tile[1024] __attribute__((aligned(16)));
  weights += at_weights;
  input += at_input;
  output += at_output;
  // Computes output from weights and input.
  const long column_tile = (long)get_group_id(0);
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
  // Copies sums to output.
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
          output[24 * n1 * n2 + n1 * n2 * i0 + 38 * n1 * n2 * q8 + q9] = sums[8 * r + lane + 4 * v];
        }
      }
    }
  }
}
