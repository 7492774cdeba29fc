// SPDX-License-Identifier: MIT-0
// contraction: Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu
// '/Relu'
//
//   sum0[i0, i1] = sum over i2 i3: {0 <= 8*i2 + i3 < 9: w_stem_conv_Conv_rows[0, 8*i2 + i3, i0];
//       else 0} * {0 <= 8*i2 + i3 < 9: {0 <= ((2*i2 + i3) mod 3) + ((i1 div 8) mod 8) - 1 < 8 && 0
//       <= 2*i2 + ((2*i2 + i3) div 3) + (i1 mod 8) - 1 < 8: in_image[(i1 div 64), 0, ((2*i2 + i3)
//       mod 3) + ((i1 div 8) mod 8) - 1, 2*i2 + ((2*i2 + i3) div 3) + (i1 mod 8) - 1]; else 0};
//       else 0}
//   out_Relu_output_0[i1 div 64, i0, (i1 div 8) mod 8, i1 mod 8] := max((sum0[i0, i1] +
//       w_stem_norm_bias_folded[i0]), 0)
//
// w_stem_conv_Conv_rows    f32[1, 9, 32] laid out 0 1 2, constant '/stem/conv/Conv_rows'
// in_image                 f32[batch, 1, 8, 8], input of the network 'image'
// w_stem_norm_bias_folded  f32[24], constant 'stem.norm.bias_folded'
// out_Relu_output_0        f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// n0                       batch
//
// tiles of 32 x 128 for 24 x 64*batch x 9, 8 x 8 by each of 64 work-items
__kernel void conv_batch_normalization_relu_df543c54(
    __global const float* restrict w_stem_conv_Conv_rows,
    const ulong at_w_stem_conv_Conv_rows,
    __global const float* restrict in_image,
    const ulong at_in_image,
    __global const float* restrict w_stem_norm_bias_folded,
    const ulong at_w_stem_norm_bias_folded,
    __global float* restrict out_Relu_output_0,
    const ulong at_out_Relu_output_0,
    const long n0) {
  __local float a_tile[256] __attribute__((aligned(16)));
  __local float b_tile[1024] __attribute__((aligned(16)));
  w_stem_conv_Conv_rows += at_w_stem_conv_Conv_rows;
  in_image += at_in_image;
  w_stem_norm_bias_folded += at_w_stem_norm_bias_folded;
  out_Relu_output_0 += at_out_Relu_output_0;
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
  for (long turn = 0; turn < 3; ++turn) {
    if (turn < 2) {
      const long i2 = turn;
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 64 * j;
        const long q3 = e / 32;
        float t0 = 0.0f;
        if (8 * i2 + q3 < 9) {
          t0 = w_stem_conv_Conv_rows[256 * i2 + e];
        }
        a_next[j] = t0;
      }
#pragma unroll 16
      for (long j_2 = 0; j_2 < 16; ++j_2) {
        const long e_2 = item + 64 * j_2;
        const long q4 = e_2 % 128;
        const long q5 = e_2 / 128;
        const long q6 = (2 * i2 + q5) % 3;
        const long q7 = q4 / 8;
        const long q8 = q7 % 8;
        const long q9 = (2 * i2 + q5) / 3;
        const long q10 = e_2 % 8;
        b_next[j_2] = 0.0f;
        if (128 * column_tile + q4 < 64 * n0) {
          float t1 = 0.0f;
          if (8 * i2 + q5 < 9) {
            float t2 = 0.0f;
            if (q6 + q8 - 1 >= 0 && q6 + q8 - 1 < 8 && 2 * i2 + q9 + q10 - 1 >= 0 && 2 * i2 + q9 + q10 - 1 < 8) {
              t2 = in_image[2 * i2 + 128 * column_tile + q9 + q4 + 8 * q6 - 9];
            }
            t1 = t2;
          }
          b_next[j_2] = t1;
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
    if (turn < 2) {
#pragma unroll 4
      for (long j = 0; j < 4; ++j) {
        const long e = item + 64 * j;
        a_tile[e] = a_next[j];
      }
#pragma unroll 16
      for (long j_2 = 0; j_2 < 16; ++j_2) {
        const long e_2 = item + 64 * j_2;
        b_tile[e_2] = b_next[j_2];
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
          if (128 * column_tile + 64 * v + lane + 4 * q2 < 64 * n0) {
            const long i1 = 128 * column_tile + 64 * v + lane + 4 * q2;
            const long q11 = i1 / 64;
            const long q12 = i1 % 64;
            out_Relu_output_0[64 * i0 + 1536 * q11 + q12] = burin_maximum_f32((sums[8 * r + 4 * v + lane] + w_stem_norm_bias_folded[i0]), 0.0f);
          }
        }
      }
    }
  }
}
