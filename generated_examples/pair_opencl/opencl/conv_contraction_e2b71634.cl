// SPDX-License-Identifier: MIT-0
// contraction: Conv 'b/conv', Concat 'join'
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= 8*i2 + i3 < 108: w_b_conv_rows[i0, ((8*i2 + i3) div 36),
//       (((8*i2 + i3) div 12) mod 3), ((8*i2 + i3) mod 12)]; else 0} * {0 <= 8*i2 + i3 < 108: {0 <=
//       ((8*i2 + i3) div 36) + ((i1 div n2) mod n1) - 1 < n1 && 0 <= (i1 mod n2) + (((8*i2 + i3)
//       div 12) mod 3) - 1 < n2: in_b1[(i1 div (n1*n2)), ((8*i2 + i3) mod 12), ((8*i2 + i3) div 36)
//       + ((i1 div n2) mod n1) - 1, (i1 mod n2) + (((8*i2 + i3) div 12) mod 3) - 1]; else 0}; else
//       0}
//   out_joined[i1 div (n1*n2), i0 + 8, (i1 div n2) mod n1, i1 mod n2] := sum0[i0, i1]
//
// w_b_conv_rows  f32[16, 3, 3, 12] laid out 0/16 1 2 3 [16], constant 'b/conv_rows'
// in_b1          f32[batch, 12, h, w], tensor 'b1'
// out_joined     f32[batch, 38, h, w], tensor 'joined'
// n0             batch
// n1             h
// n2             w
//
// tiles of 16 x 128 for 16 x batch*h*w x 108, 8 x 8 by each of 32 work-items
__kernel void conv_contraction_e2b71634(
    __global const float* restrict w_b_conv_rows,
    const ulong at_w_b_conv_rows,
    __global const float* restrict in_b1,
    const ulong at_in_b1,
    __global float* restrict out_joined,
    const ulong at_out_joined,
    const long n0,
    const long n1,
    const long n2) {
  __local float4 a_tile[32];
  __local float4 b_tile[256];
  __local float* const a_lanes = (__local float*)a_tile;
  __local float* const b_lanes = (__local float*)b_tile;
  w_b_conv_rows += at_w_b_conv_rows;
  in_b1 += at_in_b1;
  out_joined += at_out_joined;
  // A tile of 16 x 128: each work-item sums 8 x 8 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 16 * 8;
  const int column = item % 16;
  const int row4 = item / 16 * 2;
  const long i1_first = (long)get_group_id(0) * 128;
  const long i0_first = (long)get_group_id(1) * 16;
  float sums[8][8];
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float a_next[4];
  float b_next[32];
  for (long ready = -1; ready < 14; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 14) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 32;
        a_next[j] = 8 * i2 + e / 16 < 108 ? w_b_conv_rows[108 * i0_first + 128 * i2 + e] : 0.0f;
      }
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int e = item + j * 32;
        const long i3 = e / 128;
        const long i1 = i1_first + e % 128;
        b_next[j] = 0.0f;
        if (i1 < n0 * n1 * n2) {
          const long q0 = (8 * i2 + i3) / 36;
          const long q1 = i1 / n2;
          const long q2 = q1 % n1;
          const long q3 = i1 % n2;
          const long q4 = (8 * i2 + i3) / 12;
          const long q5 = q4 % 3;
          const long q6 = i1 / (n1 * n2);
          const long q7 = (8 * i2 + i3) % 12;
          const long q8 = i1 % (n1 * n2);
          float t9 = 0.0f;
          if (8 * i2 + i3 < 108) {
            float t10 = 0.0f;
            if (q0 + q2 - 1 >= 0 && q0 + q2 - 1 < n1 && q3 + q5 - 1 >= 0 && q3 + q5 - 1 < n2) {
              t10 = in_b1[12 * n1 * n2 * q6 + n1 * n2 * q7 - n2 + n2 * q0 + q8 + q5 - 1];
            }
            t9 = t10;
          }
          b_next[j] = t9;
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
    if (i2 < 14) {
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
    {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 16 + column) + c % 4;
        if (i1 < n0 * n1 * n2) {
          const long q11 = i1 / (n1 * n2);
          const long q12 = i1 % (n1 * n2);
          out_joined[8 * n1 * n2 + n1 * n2 * i0 + 38 * n1 * n2 * q11 + q12] = sums[r][c];
        }
      }
    }
  }
}
