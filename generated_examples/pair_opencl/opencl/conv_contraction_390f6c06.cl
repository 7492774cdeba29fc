// SPDX-License-Identifier: MIT-0
// contraction: Conv 'c/project', Concat 'join'
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= i3 < 6: w_c_project_rows[i0, i3]; else 0} * {0 <= i3 < 6:
//       in_c0[(i1 div (n1*n2)), i3, ((i1 div n2) mod n1), (i1 mod n2)]; else 0}
//   out_joined[i1 div (n1*n2), i0 + 24, (i1 div n2) mod n1, i1 mod n2] := sum0[i0, i1]
//
// w_c_project_rows  f32[8, 6] laid out 0/8 1 [8], constant 'c/project_rows'
// in_c0             f32[batch, 6, h, w], tensor 'c0'
// out_joined        f32[batch, 38, h, w], tensor 'joined'
// n0                batch
// n1                h
// n2                w
//
// tiles of 8 x 128 for 8 x batch*h*w x 6, 4 x 8 by each of 32 work-items
__kernel void conv_contraction_390f6c06(
    __global const float* restrict w_c_project_rows,
    const ulong at_w_c_project_rows,
    __global const float* restrict in_c0,
    const ulong at_in_c0,
    __global float* restrict out_joined,
    const ulong at_out_joined,
    const long n0,
    const long n1,
    const long n2) {
  __local float4 a_tile[16];
  __local float4 b_tile[256];
  __local float* const a_lanes = (__local float*)a_tile;
  __local float* const b_lanes = (__local float*)b_tile;
  w_c_project_rows += at_w_c_project_rows;
  in_c0 += at_in_c0;
  out_joined += at_out_joined;
  // A tile of 8 x 128: each work-item sums 4 x 8 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 16 * 4;
  const int column = item % 16;
  const int row4 = item / 16 * 1;
  const long i1_first = (long)get_group_id(0) * 128;
  const long i0_first = (long)get_group_id(1) * 8;
  float sums[4][8];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 8; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float a_next[2];
  float b_next[32];
  for (long ready = -1; ready < 1; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 1) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int e = item + j * 32;
        a_next[j] = 0 + e / 8 < 6 ? w_c_project_rows[6 * i0_first + e] : 0.0f;
      }
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int e = item + j * 32;
        const long i3 = e / 128;
        const long i1 = i1_first + e % 128;
        b_next[j] = 0.0f;
        if (i1 < n0 * n1 * n2) {
          const long q0 = i1 / (n1 * n2);
          const long q1 = i1 % (n1 * n2);
          float t2 = 0.0f;
          if (i3 < 6) {
            t2 = in_c0[n1 * n2 * i3 + 6 * n1 * n2 * q0 + q1];
          }
          b_next[j] = t2;
        }
      }
    }
    if (ready >= 0) {
#pragma unroll
      for (int d = 0; d < 8; ++d) {
        float a[4], b[8];
        vstore4(a_tile[d * 2 + row4 + 0], 0, a);
        vstore4(b_tile[d * 32 + column + 0], 0, b);
        vstore4(b_tile[d * 32 + column + 16], 1, b);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
#pragma unroll
          for (int c = 0; c < 8; ++c) sums[r][c] = mad(a[r], b[c], sums[r][c]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i2 < 1) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int e = item + j * 32;
        a_lanes[e / 8 * 8 + e % 8] = a_next[j];
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
  for (int r = 0; r < 4; ++r) {
    const long i0 = i0_first + row + r;
    {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 16 + column) + c % 4;
        if (i1 < n0 * n1 * n2) {
          const long q3 = i1 / (n1 * n2);
          const long q4 = i1 % (n1 * n2);
          out_joined[24 * n1 * n2 + n1 * n2 * i0 + 38 * n1 * n2 * q3 + q4] = sums[r][c];
        }
      }
    }
  }
}
