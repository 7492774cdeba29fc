// SPDX-License-Identifier: MIT-0
// contraction: Conv '/separable/pointwise/conv/Conv', BatchNormalization
// '/separable/pointwise/norm/BatchNormalization', Add '/separable/Add', Relu '/separable/Relu_1'
//
//   sum0[i0, i1] = sum over i2 i3: w_pointwise_conv_Conv_rows[i0, 8*i2 + i3] *
//       in_separable_Relu_output_0[(i1 div 64), 8*i2 + i3, ((i1 div 8) mod 8), (i1 mod 8)]
//   out_separable_Relu_1_output_0[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] :=
//       max((in_Relu_output_0[(i1 div 64), i0, ((i1 div 8) mod 8), (i1 mod 8)] + (sum0[i0, i1] +
//       w_pointwise_norm_bias_folded[i0])), 0)
//
// w_pointwise_conv_Conv_rows     f32[24, 24] laid out 0/32 1 [32], constant
//                                '/separable/pointwise/conv/Conv_rows'
// in_separable_Relu_output_0     f32[batch, 24, 8, 8], tensor '/separable/Relu_output_0'
// in_Relu_output_0               f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// w_pointwise_norm_bias_folded   f32[24], constant 'separable.pointwise.norm.bias_folded'
// out_separable_Relu_1_output_0  f32[batch, 24, 8, 8], tensor '/separable/Relu_1_output_0'
// n0                             batch
//
// tiles of 32 x 128 for 24 x 64*batch x 24, 8 x 8 by each of 64 work-items
__kernel void conv_batch_normalization_add_relu_d9de8971(
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
  __local float4 a_tile[64];
  __local float4 b_tile[256];
  __local float* const b_lanes = (__local float*)b_tile;
  w_pointwise_conv_Conv_rows += at_w_pointwise_conv_Conv_rows;
  in_separable_Relu_output_0 += at_in_separable_Relu_output_0;
  in_Relu_output_0 += at_in_Relu_output_0;
  w_pointwise_norm_bias_folded += at_w_pointwise_norm_bias_folded;
  out_separable_Relu_1_output_0 += at_out_separable_Relu_1_output_0;
  // A tile of 32 x 128: each work-item sums 8 x 8 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 16 * 8;
  const int column = item % 16;
  const int row4 = item / 16 * 2;
  const long i1_first = (long)get_group_id(0) * 128;
  const long i0_first = (long)get_group_id(1) * 32;
  float sums[8][8];
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float4 a_next[1];
  float b_next[16];
  for (long ready = -1; ready < 3; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 3) {
#pragma unroll
      for (int j = 0; j < 1; ++j) {
        const int e = item + j * 64;
        a_next[j] = ((__global const float4*)w_pointwise_conv_Conv_rows)[6 * i0_first + 64 * i2 + e];
      }
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        const int e = item + j * 64;
        const long i3 = e / 128;
        const long i1 = i1_first + e % 128;
        b_next[j] = 0.0f;
        if (i1 < 64 * n0) {
          const long q0 = i1 / 64;
          const long q1 = i1 % 64;
          b_next[j] = in_separable_Relu_output_0[512 * i2 + 64 * i3 + 1536 * q0 + q1];
        }
      }
    }
    if (ready >= 0) {
#pragma unroll
      for (int d = 0; d < 8; ++d) {
        float a[8], b[8];
        vstore4(a_tile[d * 8 + row4 + 0], 0, a);
        vstore4(a_tile[d * 8 + row4 + 1], 1, a);
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
    if (i2 < 3) {
#pragma unroll
      for (int j = 0; j < 1; ++j) {
        const int e = item + j * 64;
        a_tile[e] = a_next[j];
      }
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        const int e = item + j * 64;
        b_lanes[e / 128 * 128 + e % 128] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const long i0 = i0_first + row + r;
    if (i0 < 24) {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 16 + column) + c % 4;
        if (i1 < 64 * n0) {
          const long q2 = i1 / 64;
          const long q3 = i1 % 64;
          const float t4 = in_Relu_output_0[64 * i0 + 1536 * q2 + q3] + (sums[r][c] + w_pointwise_norm_bias_folded[i0]);
          out_separable_Relu_1_output_0[64 * i0 + 1536 * q2 + q3] = burin_maximum_f32(t4, 0.0f);
        }
      }
    }
  }
}
