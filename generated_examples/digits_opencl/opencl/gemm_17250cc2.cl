// SPDX-License-Identifier: MIT-0
// contraction: Flatten '/Flatten', Gemm '/classify/Gemm'
//
//   sum0[i0, i1] = sum over i2 i3: in_GlobalAveragePool_output_0[i0, 16*i2 + i3, 0, 0] *
//       w_classify_Gemm_columns[0, 16*i2 + i3, i1]
//   out_classify_Gemm_output_0[i0, i1] := sum0[i0, i1] + w_classify_bias[i1]
//
// in_GlobalAveragePool_output_0  f32[batch, 48, 1, 1], tensor '/GlobalAveragePool_output_0'
// w_classify_Gemm_columns        f32[1, 48, 16] laid out 0 1 2, constant '/classify/Gemm_columns'
// w_classify_bias                f32[10], constant 'classify.bias'
// out_classify_Gemm_output_0     f32[batch, 10], tensor '/classify/Gemm_output_0'
// n0                             batch
//
// tiles of 8 x 16 for batch x 10 x 48, 2 x 4 by each of 16 work-items
__kernel void gemm_17250cc2(
    __global const float* restrict in_GlobalAveragePool_output_0,
    const ulong at_in_GlobalAveragePool_output_0,
    __global const float* restrict w_classify_Gemm_columns,
    const ulong at_w_classify_Gemm_columns,
    __global const float* restrict w_classify_bias,
    const ulong at_w_classify_bias,
    __global float* restrict out_classify_Gemm_output_0,
    const ulong at_out_classify_Gemm_output_0,
    const long n0) {
  __local float a_tile[192] __attribute__((aligned(16)));
  __local float b_tile[256] __attribute__((aligned(16)));
  in_GlobalAveragePool_output_0 += at_in_GlobalAveragePool_output_0;
  w_classify_Gemm_columns += at_w_classify_Gemm_columns;
  w_classify_bias += at_w_classify_bias;
  out_classify_Gemm_output_0 += at_out_classify_Gemm_output_0;
  const long row_tile = (long)get_group_id(1);
  const long item = (long)get_local_id(0);
  const long q1 = item / 4;
  const long q2 = item % 4;
  float sums[8];
  float a_next[8];
  float b_next[16];
#pragma unroll 2
  for (long r = 0; r < 2; ++r) {
#pragma unroll 4
    for (long c = 0; c < 4; ++c) {
      sums[4 * r + c] = 0.0f;
    }
  }
  for (long turn = 0; turn < 4; ++turn) {
    if (turn < 3) {
      const long i2 = turn;
#pragma unroll 8
      for (long j = 0; j < 8; ++j) {
        const long e = item + 16 * j;
        const long q3 = e / 16;
        const long q4 = e % 16;
        a_next[j] = 0.0f;
        if (8 * row_tile + q3 < n0) {
          a_next[j] = in_GlobalAveragePool_output_0[16 * i2 + 384 * row_tile + 48 * q3 + q4];
        }
      }
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 16 * j_2;
        vstore4(*(__global const float4*)&w_classify_Gemm_columns[256 * i2 + 4 * e_2], 0, &b_next[4 * j_2]);
      }
    }
    if (turn >= 1) {
#pragma unroll 16
      for (long d = 0; d < 16; ++d) {
        float a[2];
        float b[4];
#pragma unroll 2
        for (long r = 0; r < 2; ++r) {
          a[r] = a_tile[r + 12 * d + 2 * q1];
        }
        vstore4(*(__local const float4*)&b_tile[16 * d + 4 * q2], 0, &b[0]);
#pragma unroll 2
        for (long r = 0; r < 2; ++r) {
#pragma unroll 4
          for (long c = 0; c < 4; ++c) {
            sums[4 * r + c] = mad(a[r], b[c], sums[4 * r + c]);
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (turn < 3) {
#pragma unroll 8
      for (long j = 0; j < 8; ++j) {
        const long e = item + 16 * j;
        const long q5 = e / 16;
        const long q6 = e % 16;
        a_tile[q5 + 12 * q6] = a_next[j];
      }
#pragma unroll 4
      for (long j_2 = 0; j_2 < 4; ++j_2) {
        const long e_2 = item + 16 * j_2;
        *(__local float4*)&b_tile[4 * e_2] = vload4(0, &b_next[4 * j_2]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll 2
  for (long r = 0; r < 2; ++r) {
    if (8 * row_tile + r + 2 * q1 < n0) {
      const long i0 = 8 * row_tile + r + 2 * q1;
#pragma unroll 4
      for (long lane = 0; lane < 4; ++lane) {
        if (lane + 4 * q2 < 10) {
          const long i1 = lane + 4 * q2;
          out_classify_Gemm_output_0[10 * i0 + i1] = sums[4 * r + lane] + w_classify_bias[i1];
        }
      }
    }
  }
}
