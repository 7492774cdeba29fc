// SPDX-License-Identifier: MIT-0
// contraction: Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu
// '/Relu'
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= 8*i2 + i3 < 9: w_stem_conv_Conv_rows[i0, 2*i2 + ((2*i2 +
//       i3) div 3), ((2*i2 + i3) mod 3)]; else 0} * {0 <= 8*i2 + i3 < 9: {0 <= ((2*i2 + i3) mod 3)
//       + ((i1 div 8) mod 8) - 1 < 8 && 0 <= 2*i2 + ((2*i2 + i3) div 3) + (i1 mod 8) - 1 < 8:
//       in_image[(i1 div 64), 0, ((2*i2 + i3) mod 3) + ((i1 div 8) mod 8) - 1, 2*i2 + ((2*i2 + i3)
//       div 3) + (i1 mod 8) - 1]; else 0}; else 0}
//   out_Relu_output_0[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] := max((sum0[i0, i1] +
//       w_stem_norm_bias_folded[i0]), 0)
//
// w_stem_conv_Conv_rows    f32[24, 3, 3] laid out 0/32 1 2 [32], constant '/stem/conv/Conv_rows'
// in_image                 f32[batch, 1, 8, 8], input of the network 'image'
// w_stem_norm_bias_folded  f32[24], constant 'stem.norm.bias_folded'
// out_Relu_output_0        f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// n0                       batch
//
// tiles of 32 x 128 for 24 x 64*batch x 9, 8 x 8 by each of 64 work-items
__kernel void conv_batch_normalization_relu_6c63c26d(
    __global const float* restrict w_stem_conv_Conv_rows,
    const ulong at_w_stem_conv_Conv_rows,
    __global const float* restrict in_image,
    const ulong at_in_image,
    __global const float* restrict w_stem_norm_bias_folded,
    const ulong at_w_stem_norm_bias_folded,
    __global float* restrict out_Relu_output_0,
    const ulong at_out_Relu_output_0,
    const long n0) {
  __local float4 a_tile[64];
  __local float4 b_tile[256];
  __local float* const a_lanes = (__local float*)a_tile;
  __local float* const b_lanes = (__local float*)b_tile;
  w_stem_conv_Conv_rows += at_w_stem_conv_Conv_rows;
  in_image += at_in_image;
  w_stem_norm_bias_folded += at_w_stem_norm_bias_folded;
  out_Relu_output_0 += at_out_Relu_output_0;
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
  float a_next[4];
  float b_next[16];
  for (long ready = -1; ready < 2; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 2) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 64;
        a_next[j] = 8 * i2 + e / 32 < 9 ? w_stem_conv_Conv_rows[9 * i0_first + 256 * i2 + e] : 0.0f;
      }
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        const int e = item + j * 64;
        const long i3 = e / 128;
        const long i1 = i1_first + e % 128;
        b_next[j] = 0.0f;
        if (i1 < 64 * n0) {
          const long q0 = (2 * i2 + i3) % 3;
          const long q1 = i1 / 8;
          const long q2 = q1 % 8;
          const long q3 = (2 * i2 + i3) / 3;
          const long q4 = i1 % 8;
          float t5 = 0.0f;
          if (8 * i2 + i3 < 9) {
            float t6 = 0.0f;
            if (q0 + q2 - 1 >= 0 && q0 + q2 - 1 < 8 && 2 * i2 + q3 + q4 - 1 >= 0 && 2 * i2 + q3 + q4 - 1 < 8) {
              t6 = in_image[i1 + 2 * i2 + q3 + 8 * q0 - 9];
            }
            t5 = t6;
          }
          b_next[j] = t5;
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
    if (i2 < 2) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 64;
        a_lanes[e / 32 * 32 + e % 32] = a_next[j];
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
          const long q7 = i1 / 64;
          const long q8 = i1 % 64;
          out_Relu_output_0[64 * i0 + 1536 * q7 + q8] = burin_maximum_f32((sums[r][c] + w_stem_norm_bias_folded[i0]), 0.0f);
        }
      }
    }
  }
}
