// SPDX-License-Identifier: MIT-0
// contraction: Conv '/inverted/expand/conv/Conv', BatchNormalization
// '/inverted/expand/norm/BatchNormalization', Relu '/inverted/Relu'
//
//   sum0[i0, i1] = sum over i2 i3: w_expand_conv_Conv_rows[0, 8*i2 + i3, i0] *
//       in_Relu_1_output_0[(i1 div 16), 8*i2 + i3, ((i1 div 4) mod 4), (i1 mod 4)]
//   out_inverted_Relu_output_0[i1 div 16, i0, (i1 div 4) mod 4, i1 mod 4] := max((sum0[i0, i1] +
//       w_expand_norm_bias_folded[i0]), 0)
//
// w_expand_conv_Conv_rows     f32[1, 48, 128] laid out 0 1 2, constant
//                             '/inverted/expand/conv/Conv_rows'
// in_Relu_1_output_0          f32[batch, 48, 4, 4], tensor '/Relu_1_output_0'
// w_expand_norm_bias_folded   f32[96], constant 'inverted.expand.norm.bias_folded'
// out_inverted_Relu_output_0  f32[batch, 96, 4, 4], tensor '/inverted/Relu_output_0'
// n0                          batch
//
// tiles of 128 x 64 for 96 x 16*batch x 48, 8 x 8 by each of 128 work-items
__kernel void conv_batch_normalization_relu_e22aae9f(
    __global const float* restrict w_expand_conv_Conv_rows,
    const ulong at_w_expand_conv_Conv_rows,
    __global const float* restrict in_Relu_1_output_0,
    const ulong at_in_Relu_1_output_0,
    __global const float* restrict w_expand_norm_bias_folded,
    const ulong at_w_expand_norm_bias_folded,
    __global float* restrict out_inverted_Relu_output_0,
    const ulong at_out_inverted_Relu_output_0,
    const long n0) {
  __local float a_tile[1024] __attribute__((aligned(16)));
  __local float b_tile[512] __attribute__((aligned(16)));
  w_expand_conv_Conv_rows += at_w_expand_conv_Conv_rows;
  in_Relu_1_output_0 += at_in_Relu_1_output_0;
  w_expand_norm_bias_folded += at_w_expand_norm_bias_folded;
  out_inverted_Relu_output_0 += at_out_inverted_Relu_output_0;
  const long column_tile = (long)get_group_id(0);
  const long item = (long)get_local_id(0);
  const long q1 = item / 8;
  const long q2 = item % 8;
  float sums[64];
  float a_next[8];
  float b_next[4];
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  for (long turn = 0; turn < 7; ++turn) {
    if (turn < 6) {
      const long i2 = turn;
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 128 * j;
        vstore4(*(__global const float4*)&w_expand_conv_Conv_rows[1024 * i2 + 4 * e], 0, &a_next[4 * j]);
      }
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
          b_next[j_2] = in_Relu_1_output_0[128 * i2 + 3072 * column_tile + 16 * q4 + 768 * q5 + q6 + 4 * q8];
        }
      }
    }
    if (turn >= 1) {
#pragma unroll 8
      for (long d = 0; d < 8; ++d) {
        float a[8];
        float b[8];
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&a_tile[128 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
        }
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[64 * d + 32 * v + 4 * q2], 0, &b[4 * v]);
        }
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
    if (turn < 6) {
#pragma unroll 2
      for (long j = 0; j < 2; ++j) {
        const long e = item + 128 * j;
        *(__local float4*)&a_tile[4 * e] = vload4(0, &a_next[4 * j]);
      }
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 128 * j_2;
        b_tile[e_2] = b_next[j_2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
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
            out_inverted_Relu_output_0[16 * i0 + 1536 * q9 + q10] = burin_maximum_f32((sums[8 * r + lane + 4 * v] + w_expand_norm_bias_folded[i0]), 0.0f);
          }
        }
      }
    }
  }
}
