// SPDX-License-Identifier: MIT-0
// contraction: Flatten '/Flatten', Gemm '/classify/Gemm'
//
//   sum0[i0, i1] = sum over i2: in_GlobalAveragePool_output_0[i0, i2, 0, 0] *
//       w_classify_Gemm_columns[i1, i2]
//   out_classify_Gemm_output_0[i0, i1] := sum0[i0, i1] + w_classify_bias[i1]
//
// in_GlobalAveragePool_output_0  f32[batch, 48, 1, 1], tensor '/GlobalAveragePool_output_0'
// w_classify_Gemm_columns        f32[10, 48] laid out 0/24 1 [24], constant
//                                '/classify/Gemm_columns'
// w_classify_bias                f32[10], constant 'classify.bias'
// out_classify_Gemm_output_0     f32[batch, 10], tensor '/classify/Gemm_output_0'
// n0                             batch
//
// tiles of 2 x 24 for batch x 10 x 48; of 1 for the last rows; of 16 for the last columns; 3 blocks
// of rows at a time of 16 columns, packed in strips, rows in blocks of 678; 2 sums for each element
// of 2 x 24; 4 sums for each element of 1 x 24; threads share i0
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"
#include "../rt/integer.h"

namespace digits_kernels {

void gemm_3ec20663(
    const float* __restrict in_GlobalAveragePool_output_0,
    const float* __restrict w_classify_Gemm_columns,
    const float* __restrict w_classify_bias,
    float* __restrict out_classify_Gemm_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const a_panels = reinterpret_cast<float*>(scratch);
  for (int64_t rows_first = first; rows_first < last; rows_first += 678) {
    const int64_t rows_end = burin_rt::minimum<int64_t>(rows_first + 678, last);
    int64_t i0_pitch = 2;
    if (n0 <= 1) i0_pitch = 1;
    for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += 2) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + 2, rows_end);
      float* panel = a_panels + 48 * i0_first - 48 * rows_first;
      for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
        for (int64_t i2 = 0; i2 < 48; ++i2) {
          panel[-i0_first + i0_pitch * i2 + i0] = in_GlobalAveragePool_output_0[48 * i0 + i2];
        }
      }
      for (int64_t lane = i0_end - i0_first; lane < i0_pitch; ++lane) {
        for (int64_t i2 = 0; i2 < 48; ++i2) panel[i0_pitch * i2 + lane] = 0.0f;
      }
    }
    for (int64_t i1_first = 0; i1_first < 10; i1_first += 24) {
      const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 24, 10);
      int64_t i0_height = 2;
      if (i1_end - i1_first <= 16) i0_height = 6;
      for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += i0_height) {
        const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + i0_height, rows_end);
        float tile[6][24];
        if (n0 <= 1) {
          burin_rt::multiply_tile<1, 3, 8, 4>(a_panels + 48 * i0_first - 48 * rows_first, w_classify_Gemm_columns + 48 * i1_first, 48, tile);
        } else if (i0_end - i0_first <= 1) {
          burin_rt::multiply_tile<1, 3, 8, 4, 2>(a_panels + 48 * i0_first - 48 * rows_first, w_classify_Gemm_columns + 48 * i1_first, 48, tile);
        } else if (i1_end - i1_first <= 16) {
          burin_rt::multiply_blocks<2, 3, 2, 8, 3>(a_panels + 48 * i0_first - 48 * rows_first, w_classify_Gemm_columns + 48 * i1_first, burin_rt::floor_divide<int64_t>(i0_end - i0_first + 1, 2), 48, tile);
        } else {
          burin_rt::multiply_tile<2, 3, 8, 2>(a_panels + 48 * i0_first - 48 * rows_first, w_classify_Gemm_columns + 48 * i1_first, 48, tile);
        }
        for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
          for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
            out_classify_Gemm_output_0[10 * i0 + i1] = tile[i0 - i0_first][i1 - i1_first] + w_classify_bias[i1];
          }
        }
      }
    }
  }
}

}  // namespace digits_kernels
