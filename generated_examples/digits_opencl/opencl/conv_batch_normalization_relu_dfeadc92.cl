// SPDX-License-Identifier: MIT-0
// contraction: Conv '/inverted/expand/conv/Conv', BatchNormalization
// '/inverted/expand/norm/BatchNormalization', Relu '/inverted/Relu'
//
//   sum0[i0, i1] = sum over i2 i3: w_expand_conv_Conv_rows[i0, 8*i2 + i3] * in_Relu_1_output_0[(i1
//       div 16), 8*i2 + i3, ((i1 div 4) mod 4), (i1 mod 4)]
//   out_inverted_Relu_output_0[i1 div 16, i0, (i1 div 4) mod 4, i1 mod 4] := max((sum0[i0, i1] +
//       w_expand_norm_bias_folded[i0]), 0)
//
// w_expand_conv_Conv_rows     f32[96, 48] laid out 0/128 1 [128], constant
//                             '/inverted/expand/conv/Conv_rows'
// in_Relu_1_output_0          f32[batch, 48, 4, 4], tensor '/Relu_1_output_0'
// w_expand_norm_bias_folded   f32[96], constant 'inverted.expand.norm.bias_folded'
// out_inverted_Relu_output_0  f32[batch, 96, 4, 4], tensor '/inverted/Relu_output_0'
// n0                          batch
//
// tiles of 128 x 64 for 96 x 16*batch x 48, 8 x 8 by each of 128 work-items
__kernel void conv_batch_normalization_relu_dfeadc92(
    __global const float* restrict w_expand_conv_Conv_rows,
    const ulong at_w_expand_conv_Conv_rows,
    __global const float* restrict in_Relu_1_output_0,
    const ulong at_in_Relu_1_output_0,
    __global const float* restrict w_expand_norm_bias_folded,
    const ulong at_w_expand_norm_bias_folded,
    __global float* restrict out_inverted_Relu_output_0,
    const ulong at_out_inverted_Relu_output_0,
    const long n0) {
  __local float4 a_tile[256];
  __local float4 b_tile[128];
  __local float* const b_lanes = (__local float*)b_tile;
  w_expand_conv_Conv_rows += at_w_expand_conv_Conv_rows;
  in_Relu_1_output_0 += at_in_Relu_1_output_0;
  w_expand_norm_bias_folded += at_w_expand_norm_bias_folded;
  out_inverted_Relu_output_0 += at_out_inverted_Relu_output_0;
  // A tile of 128 x 64: each work-item sums 8 x 8 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 8 * 8;
  const int column = item % 8;
  const int row4 = item / 8 * 2;
  const long i1_first = (long)get_group_id(0) * 64;
  const long i0_first = (long)get_group_id(1) * 128;
  float sums[8][8];
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float4 a_next[2];
  float b_next[4];
  for (long ready = -1; ready < 6; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 6) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int e = item + j * 128;
        a_next[j] = ((__global const float4*)w_expand_conv_Conv_rows)[12 * i0_first + 256 * i2 + e];
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 128;
        const long i3 = e / 64;
        const long i1 = i1_first + e % 64;
        b_next[j] = 0.0f;
        if (i1 < 16 * n0) {
          const long q0 = i1 / 16;
          const long q1 = i1 % 16;
          b_next[j] = in_Relu_1_output_0[128 * i2 + 16 * i3 + 768 * q0 + q1];
        }
      }
    }
    if (ready >= 0) {
#pragma unroll
      for (int d = 0; d < 8; ++d) {
        float a[8], b[8];
        vstore4(a_tile[d * 32 + row4 + 0], 0, a);
        vstore4(a_tile[d * 32 + row4 + 1], 1, a);
        vstore4(b_tile[d * 16 + column + 0], 0, b);
        vstore4(b_tile[d * 16 + column + 8], 1, b);
#pragma unroll
        for (int r = 0; r < 8; ++r) {
#pragma unroll
          for (int c = 0; c < 8; ++c) sums[r][c] = mad(a[r], b[c], sums[r][c]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i2 < 6) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int e = item + j * 128;
        a_tile[e] = a_next[j];
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 128;
        b_lanes[e / 64 * 64 + e % 64] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const long i0 = i0_first + row + r;
    if (i0 < 96) {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 8 + column) + c % 4;
        if (i1 < 16 * n0) {
          const long q2 = i1 / 16;
          const long q3 = i1 % 16;
          out_inverted_Relu_output_0[16 * i0 + 1536 * q2 + q3] = burin_maximum_f32((sums[r][c] + w_expand_norm_bias_folded[i0]), 0.0f);
        }
      }
    }
  }
}
