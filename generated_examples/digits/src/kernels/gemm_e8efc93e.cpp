// SPDX-License-Identifier: MIT-0
// contraction: Flatten '/Flatten', Gemm '/classify/Gemm'
//   Flatten: axis=1
//   Gemm: alpha=1, beta=1, transB=1
//
//   sum0[i0, i1] = sum over i2: input[i0, i2, 0, 0] * weights[0, i2, i1]
//   output[i0, i1] := sum0[i0, i1] + bias[i1]
//
// input    f32[batch, 48, 1, 1], strides [48, 1, 1, 1]
// weights  f32[1, 48, 24], strides [1152, 24, 1], constant '/classify/Gemm_columns'
// bias     f32[10], constant 'classify.bias'
// output   f32[batch, 10], strides [10, 1]
// n0       batch
//
// tiles of 2 x 24 for batch x 10 x 48; of 1 for the last rows; of 16 for the last columns; 3 blocks of rows at a time
// of 16 columns, packed a piece of a row at a time, rows in blocks of 678; 2 sums for each element of 2 x 24; 4 sums
// for each element of 1 x 24; threads share i0
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/integer.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace digits_kernels {

void gemm_e8efc93e(
    const float* __restrict input,
    const float* __restrict weights,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch) {
  float* const a_panels = reinterpret_cast<float*>(scratch);
  float* const a_panels_2 = reinterpret_cast<float*>(scratch);
  // Computes output from input, weights and bias.
  for (int64_t rows_first = first; rows_first < last; rows_first += 678) {
    const int64_t rows_end = burin_rt::minimum<int64_t>(last, rows_first + 678);
    if (n0 < 2) {
      // Copies input to a_panels_2.
      for (int64_t i0_first_3 = rows_first; i0_first_3 < rows_end; ++i0_first_3) {
        const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_3 + 1);
        for (int64_t i0 = i0_first_3; i0 < i0_end; ++i0) {
          for (int64_t i2 = 0; i2 < 48; ++i2) {
            a_panels_2[i0 + i2 - 48 * rows_first + 47 * i0_first_3] = input[48 * i0 + i2];
          }
        }
      }
      // Computes output from weights, bias and a_panels_2.
      for (int64_t i0_first_3 = rows_first; i0_first_3 < rows_end; ++i0_first_3) {
        const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_3 + 1);
        alignas(64) float tile_3[24];
        // Computes tile_3 from weights and a_panels_2.
        burin_rt::outlined(tile_3, [=](float* __restrict tile_3_array) {
          burin_rt::FloatVector<8> sums_5[4][1][3];
          // Sets sums_5 to a constant.
#pragma GCC unroll 4
          for (int64_t step_2 = 0; step_2 < 4; ++step_2) {
#pragma GCC unroll 3
            for (int64_t vector = 0; vector < 3; ++vector) {
              sums_5[step_2][0][vector] = burin_rt::broadcast<8>(0.0f);
            }
          }
          // Adds products of weights and a_panels_2 to sums_5.
          for (int64_t depth = 0; depth < 48; depth += 4) {
#pragma GCC unroll 4
            for (int64_t step_2 = 0; step_2 < 4; ++step_2) {
#pragma GCC unroll 3
              for (int64_t vector = 0; vector < 3; ++vector) {
                sums_5[step_2][0][vector] = burin_rt::add_product<8>(
                    sums_5[step_2][0][vector], &a_panels_2[-48 * rows_first + depth + step_2 + 48 * i0_first_3],
                    &weights[8 * vector + 24 * depth + 24 * step_2]);
              }
            }
          }
          // Computes sums_5.
#pragma GCC unroll 4
          for (int64_t step_2 = 1; step_2 < 4; ++step_2) {
#pragma GCC unroll 3
            for (int64_t vector = 0; vector < 3; ++vector) {
              sums_5[0][0][vector] = sums_5[0][0][vector] + sums_5[step_2][0][vector];
            }
          }
          // Copies sums_5 to tile_3_array.
#pragma GCC unroll 3
          for (int64_t vector = 0; vector < 3; ++vector) {
            burin_rt::store(&tile_3_array[8 * vector], sums_5[0][0][vector]);
          }
        });
        // Computes output from bias and tile_3.
        for (int64_t i0 = i0_first_3; i0 < i0_end; ++i0) {
          for (int64_t i1 = 0; i1 < 10; ++i1) {
            output[10 * i0 + i1] = tile_3[24 * i0 + i1 - 24 * i0_first_3] + bias[i1];
          }
        }
      }
    } else {
      // Copies input to a_panels.
      for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += 2) {
        const int64_t q0 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first, 2);
        const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first + 2);
        for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
          for (int64_t i2 = 0; i2 < 48; ++i2) {
            a_panels[i0 + 2 * i2 - i0_first + 96 * q0] = input[48 * i0 + i2];
          }
        }
        // Sets a_panels to a constant.
        for (int64_t i2 = 0; i2 < 48; ++i2) {
          for (int64_t panel_lane = -i0_first + i0_end; panel_lane < 2; ++panel_lane) {
            a_panels[2 * i2 + panel_lane + 96 * q0] = 0.0f;
          }
        }
      }
      // Computes output from weights, bias and a_panels.
      for (int64_t i0_first_2 = rows_first; i0_first_2 < rows_end; i0_first_2 += 6) {
        const int64_t q1 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first_2, 2);
        const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_2 + 6);
        const int64_t q2 = burin_rt::floor_divide<int64_t>(i0_end - i0_first_2 + 1, 2);
        alignas(64) float tile_2[144];
        // Computes tile_2 from weights and a_panels.
        if (i0_end < i0_first_2 + 2) {
          burin_rt::outlined(tile_2, [=](float* __restrict tile_2_array) {
            burin_rt::FloatVector<8> sums_4[4][1][3];
            // Sets sums_4 to a constant.
#pragma GCC unroll 4
            for (int64_t step_2 = 0; step_2 < 4; ++step_2) {
#pragma GCC unroll 3
              for (int64_t vector = 0; vector < 3; ++vector) {
                sums_4[step_2][0][vector] = burin_rt::broadcast<8>(0.0f);
              }
            }
            // Adds products of weights and a_panels to sums_4.
            for (int64_t depth = 0; depth < 48; depth += 4) {
#pragma GCC unroll 4
              for (int64_t step_2 = 0; step_2 < 4; ++step_2) {
#pragma GCC unroll 3
                for (int64_t vector = 0; vector < 3; ++vector) {
                  sums_4[step_2][0][vector] = burin_rt::add_product<8>(
                      sums_4[step_2][0][vector],
                      &a_panels[2 * depth + 2 * step_2 + 96 * q1 + 96 * burin_rt::minimum<int64_t>(0, q2 - 1)],
                      &weights[8 * vector + 24 * depth + 24 * step_2]);
                }
              }
            }
            // Computes sums_4.
#pragma GCC unroll 4
            for (int64_t step_2 = 1; step_2 < 4; ++step_2) {
#pragma GCC unroll 3
              for (int64_t vector = 0; vector < 3; ++vector) {
                sums_4[0][0][vector] = sums_4[0][0][vector] + sums_4[step_2][0][vector];
              }
            }
            // Copies sums_4 to tile_2_array.
#pragma GCC unroll 3
            for (int64_t vector = 0; vector < 3; ++vector) {
              burin_rt::store(&tile_2_array[8 * vector], sums_4[0][0][vector]);
            }
          });
        } else {
          burin_rt::outlined(tile_2, [=](float* __restrict tile_2_array) {
            burin_rt::FloatVector<8> sums_3[6][2];
            // Sets sums_3 to a constant.
#pragma GCC unroll 6
            for (int64_t row_3 = 0; row_3 < 6; ++row_3) {
#pragma GCC unroll 2
              for (int64_t vector_2 = 0; vector_2 < 2; ++vector_2) {
                sums_3[row_3][vector_2] = burin_rt::broadcast<8>(0.0f);
              }
            }
            // Adds products of weights and a_panels to sums_3.
            for (int64_t depth = 0; depth < 48; ++depth) {
#pragma GCC unroll 6
              for (int64_t row_3 = 0; row_3 < 6; ++row_3) {
                const int64_t q3 = row_3 % 2;
                const int64_t q4 = row_3 / 2;
#pragma GCC unroll 2
                for (int64_t vector_2 = 0; vector_2 < 2; ++vector_2) {
                  sums_3[row_3][vector_2] = burin_rt::add_product<8>(
                      sums_3[row_3][vector_2],
                      &a_panels[2 * depth + 96 * q1 + q3 + 96 * burin_rt::minimum<int64_t>(q2 - 1, q4)],
                      &weights[24 * depth + 8 * vector_2]);
                }
              }
            }
            // Copies sums_3 to tile_2_array.
#pragma GCC unroll 6
            for (int64_t row_3 = 0; row_3 < 6; ++row_3) {
#pragma GCC unroll 2
              for (int64_t vector_2 = 0; vector_2 < 2; ++vector_2) {
                burin_rt::store(&tile_2_array[24 * row_3 + 8 * vector_2], sums_3[row_3][vector_2]);
              }
            }
          });
        }
        // Computes output from bias and tile_2.
        for (int64_t i0 = i0_first_2; i0 < i0_end; ++i0) {
          for (int64_t i1 = 0; i1 < 10; ++i1) {
            output[10 * i0 + i1] = tile_2[24 * i0 + i1 - 24 * i0_first_2] + bias[i1];
          }
        }
      }
    }
  }
}

}  // namespace digits_kernels
