// SPDX-License-Identifier: MIT-0
// contraction: Conv '/separable/pointwise/conv/Conv', BatchNormalization
// '/separable/pointwise/norm/BatchNormalization', Add '/separable/Add', Relu '/separable/Relu_1'
//
//   sum0[i0, i1] = sum over i2 i3: w_pointwise_conv_Conv_rows[0, 8*i2 + i3, i0] *
//       in_separable_Relu_output_0[(i1 div 64), 8*i2 + i3, ((i1 div 8) mod 8), (i1 mod 8)]
//   out_separable_Relu_1_output_0[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] :=
//       max((in_Relu_output_0[(i1 div 64), i0, ((i1 div 8) mod 8), (i1 mod 8)] + (sum0[i0, i1] +
//       w_pointwise_norm_bias_folded[i0])), 0)
//
// w_pointwise_conv_Conv_rows     f32[1, 24, 32] laid out 0 1 2, constant
//                                '/separable/pointwise/conv/Conv_rows'
// in_separable_Relu_output_0     f32[batch, 24, 8, 8], tensor '/separable/Relu_output_0'
// in_Relu_output_0               f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// w_pointwise_norm_bias_folded   f32[24], constant 'separable.pointwise.norm.bias_folded'
// out_separable_Relu_1_output_0  f32[batch, 24, 8, 8], tensor '/separable/Relu_1_output_0'
// n0                             batch
//
// tiles of 32 x 128 for 24 x 64*batch x 24, 8 x 8 by each of 64 work-items
__kernel void conv_batch_normalization_add_relu_f6732e6f(
    __global const float* restrict w_pointwise_conv_Conv_rows,
    const ulong at_w_pointwise_conv_Conv_rows,
    __global const float* restrict in_separable_Relu_output_0,
    const ulong at_in_separable_Relu_output_0,
    __global const float* restrict in_Relu_output_0,
    const ulong at_in_Relu_output_0,
    __global const float* restrict w_pointwise_norm_bias_folded,
    const ulong at_w_pointwise_norm_bias_folded,
    __global float* restrict out_separable_Relu_1_output_0,
    const ulong at_out_separable_Relu_1_output_0,
    const long n0) {
  __local float a_tile[256] __attribute__((aligned(16)));
  __local float b_tile[1024] __attribute__((aligned(16)));
  w_pointwise_conv_Conv_rows += at_w_pointwise_conv_Conv_rows;
  in_separable_Relu_output_0 += at_in_separable_Relu_output_0;
  in_Relu_output_0 += at_in_Relu_output_0;
  w_pointwise_norm_bias_folded += at_w_pointwise_norm_bias_folded;
  out_separable_Relu_1_output_0 += at_out_separable_Relu_1_output_0;
  const long column_tile = (long)get_group_id(0);
  const long item = (long)get_local_id(0);
  const long q1 = item / 16;
  const long q2 = item % 16;
  float sums[64];
  float a_next[4];
  float b_next[16];
#pragma unroll 8
  for (long r = 0; r < 8; ++r) {
#pragma unroll 8
    for (long c = 0; c < 8; ++c) {
      sums[8 * r + c] = 0.0f;
    }
  }
  for (long turn = 0; turn < 4; ++turn) {
    if (turn < 3) {
      const long i2 = turn;
      vstore4(*(__global const float4*)&w_pointwise_conv_Conv_rows[256 * i2 + 4 * item], 0, &a_next[0]);
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
          const float t0 = in_separable_Relu_output_0[512 * i2 + 3072 * column_tile + 64 * q4 + 1536 * q5 + q6 + 8 * q8];
          b_next[j] = t0;
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
          vstore4(*(__local const float4*)&a_tile[32 * d + 4 * v + 8 * q1], 0, &a[4 * v]);
        }
#pragma unroll 2
        for (long v = 0; v < 2; ++v) {
          vstore4(*(__local const float4*)&b_tile[128 * d + 64 * v + 4 * q2], 0, &b[4 * v]);
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
    if (turn < 3) {
      *(__local float4*)&a_tile[4 * item] = vload4(0, &a_next[0]);
#pragma unroll 16
      for (long j = 0; j < 16; ++j) {
        const long e = item + 64 * j;
        b_tile[e] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
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
            const float t1 = in_Relu_output_0[64 * i0 + 1536 * q9 + q10] + (sums[8 * r + lane + 4 * v] + w_pointwise_norm_bias_folded[i0]);
            out_separable_Relu_1_output_0[64 * i0 + 1536 * q9 + q10] = burin_maximum_f32(t1, 0.0f);
          }
        }
      }
    }
  }
}
