// SPDX-License-Identifier: MIT-0
// contraction: Flatten '/Flatten', Gemm '/classify/Gemm'
//
//   sum0[i0, i1] = sum over i2 i3: in_GlobalAveragePool_output_0[i0, 16*i2 + i3, 0, 0] *
//       w_classify_Gemm_columns[i1, 16*i2 + i3]
//   out_classify_Gemm_output_0[i0, i1] := sum0[i0, i1] + w_classify_bias[i1]
//
// in_GlobalAveragePool_output_0  f32[batch, 48, 1, 1], tensor '/GlobalAveragePool_output_0'
// w_classify_Gemm_columns        f32[10, 48] laid out 0/16 1 [16], constant
//                                '/classify/Gemm_columns'
// w_classify_bias                f32[10], constant 'classify.bias'
// out_classify_Gemm_output_0     f32[batch, 10], tensor '/classify/Gemm_output_0'
// n0                             batch
//
// tiles of 8 x 16 for batch x 10 x 48, 2 x 4 by each of 16 work-items
__kernel void gemm_23f2ad11(
    __global const float* restrict in_GlobalAveragePool_output_0,
    const ulong at_in_GlobalAveragePool_output_0,
    __global const float* restrict w_classify_Gemm_columns,
    const ulong at_w_classify_Gemm_columns,
    __global const float* restrict w_classify_bias,
    const ulong at_w_classify_bias,
    __global float* restrict out_classify_Gemm_output_0,
    const ulong at_out_classify_Gemm_output_0,
    const long n0) {
  __local float4 a_tile[48];
  __local float4 b_tile[64];
  __local float* const a_lanes = (__local float*)a_tile;
  in_GlobalAveragePool_output_0 += at_in_GlobalAveragePool_output_0;
  w_classify_Gemm_columns += at_w_classify_Gemm_columns;
  w_classify_bias += at_w_classify_bias;
  out_classify_Gemm_output_0 += at_out_classify_Gemm_output_0;
  // A tile of 8 x 16: each work-item sums 2 x 4 of it, columns by fours.
  const int item = (int)get_local_id(0);
  const int row = item / 4 * 2;
  const int column = item % 4;
  const long i1_first = (long)get_group_id(0) * 16;
  const long i0_first = (long)get_group_id(1) * 8;
  float sums[2][4];
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 4; ++c) sums[r][c] = 0.0f;
  }
  // Elements of the next step are under way while this one is multiplied.
  float a_next[8];
  float4 b_next[4];
  for (long ready = -1; ready < 3; ++ready) {
    const long i2 = ready + 1;
    if (i2 < 3) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int e = item + j * 16;
        const long i3 = e % 16;
        const long i0 = i0_first + e / 16;
        a_next[j] = 0.0f;
        if (i0 < n0) {
          a_next[j] = in_GlobalAveragePool_output_0[48 * i0 + 16 * i2 + i3];
        }
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 16;
        b_next[j] = ((__global const float4*)w_classify_Gemm_columns)[12 * i1_first + 64 * i2 + e];
      }
    }
    if (ready >= 0) {
#pragma unroll
      for (int d = 0; d < 16; ++d) {
        float a[2], b[4];
        for (int r = 0; r < 2; ++r) a[r] = a_lanes[d * 12 + row + r];
        vstore4(b_tile[d * 4 + column + 0], 0, b);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
#pragma unroll
          for (int c = 0; c < 4; ++c) sums[r][c] = mad(a[r], b[c], sums[r][c]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i2 < 3) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int e = item + j * 16;
        a_lanes[e % 16 * 12 + e / 16] = a_next[j];
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int e = item + j * 16;
        b_tile[e] = b_next[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const long i0 = i0_first + row + r;
    if (i0 < n0) {
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const long i1 = i1_first + 4 * (c / 4 * 4 + column) + c % 4;
        if (i1 < 10) {
          out_classify_Gemm_output_0[10 * i0 + i1] = sums[r][c] + w_classify_bias[i1];
        }
      }
    }
  }
}
