// SPDX-License-Identifier: MIT-0
// contraction: LSTM 'lstm'
//   LSTM: direction="bidirectional", hidden_size=4
//
//   sum0[i0, i1] = sum over i2: input[(i0 div n0), (i0 mod n0), i2] * weights[(i1 div 8), i2, (i1 mod 8)]
//   output[i1 div 16, i0 div n0, i0 mod n0, i1 mod 16] := sum0[i0, i1] + bias[(i1 div 16), (i1 mod 16)]
//
// input    f32[seq, batch, 5], strides [5*batch, 5, 1], input of the network 'x'
// weights  f32[4, 5, 8], strides [40, 8, 1], constant 'lstm_columns'
// bias     f32[2, 16], strides [16, 1], constant 'b_folded'
// output   f32[2, seq, batch, 16], strides [16*batch*seq, 16*batch, 16, 1]
// n0       batch
// n1       seq
//
// tiles of 6 x 8 for batch*seq x 32 x 5; of 1 or 2 or 4 for the last rows; two blocks of 4 for at most 8 rows, rows
// read where they lie, rows in blocks of 6552
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace lstm_kernels {

void lstm_contraction_bee3bcf3(
    const float* __restrict input,
    const float* __restrict weights,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t n1) {
  // Computes output from input, weights and bias.
  for (int64_t rows_first = 0; rows_first < n0 * n1; rows_first += 6552) {
    const int64_t rows_end = burin_rt::minimum<int64_t>(n0 * n1, rows_first + 6552);
    if (n0 * n1 < 2) {
      for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
        const int64_t q0 = i1_first / 8;
        const int64_t q1 = i1_first / 16;
        const int64_t q2 = i1_first % 16;
        const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
        for (int64_t i0_first_4 = rows_first; i0_first_4 < rows_end; ++i0_first_4) {
          const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_4 + 1);
          alignas(64) float tile_4[8];
          // Computes tile_4 from input and weights.
          burin_rt::outlined(tile_4, [=](float* __restrict tile_4_array) {
            burin_rt::FloatVector<4> sums_7[1][2];
            // Sets sums_7 to a constant.
#pragma GCC unroll 2
            for (int64_t vector = 0; vector < 2; ++vector) {
              sums_7[0][vector] = burin_rt::broadcast<4>(0.0f);
            }
            // Adds products of input and weights to sums_7.
            for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
              for (int64_t vector = 0; vector < 2; ++vector) {
                sums_7[0][vector] = burin_rt::add_product<4>(
                    sums_7[0][vector], &input[depth + 5 * i0_first_4], &weights[4 * vector + 8 * depth + 40 * q0]);
              }
            }
            // Copies sums_7 to tile_4_array.
#pragma GCC unroll 2
            for (int64_t vector = 0; vector < 2; ++vector) {
              burin_rt::store(&tile_4_array[4 * vector], sums_7[0][vector]);
            }
          });
          // Computes output from bias and tile_4.
          for (int64_t i0 = i0_first_4; i0 < i0_end; ++i0) {
            [[maybe_unused]] int64_t q3 = q1;
            int64_t r4 = q2;
            for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
              output[16 * n0 * n1 * q3 + 16 * i0 + r4] = tile_4[8 * i0 + i1 - i1_first - 8 * i0_first_4] + bias[i1];
              r4 += 1;
              if (r4 >= 16) {
                r4 -= 16;
                ++q3;
              }
            }
          }
        }
      }
    } else {
      if (n0 * n1 < 3) {
        for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
          const int64_t q5 = i1_first / 8;
          const int64_t q6 = i1_first / 16;
          const int64_t q7 = i1_first % 16;
          const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
          for (int64_t i0_first_3 = rows_first; i0_first_3 < rows_end; i0_first_3 += 2) {
            const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_3 + 2);
            alignas(64) float tile_3[16];
            // Computes tile_3 from input and weights.
            burin_rt::outlined(tile_3, [=](float* __restrict tile_3_array) {
              burin_rt::FloatVector<4> sums_6[2][2];
              // Sets sums_6 to a constant.
#pragma GCC unroll 2
              for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                for (int64_t vector = 0; vector < 2; ++vector) {
                  sums_6[row_3][vector] = burin_rt::broadcast<4>(0.0f);
                }
              }
              // Adds products of input and weights to sums_6.
              for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
                for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    sums_6[row_3][vector] = burin_rt::add_product<4>(
                        sums_6[row_3][vector],
                        &input[depth + 5 * burin_rt::minimum<int64_t>(i0_end - 1, row_3 + i0_first_3)],
                        &weights[4 * vector + 8 * depth + 40 * q5]);
                  }
                }
              }
              // Copies sums_6 to tile_3_array.
#pragma GCC unroll 2
              for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                for (int64_t vector = 0; vector < 2; ++vector) {
                  burin_rt::store(&tile_3_array[4 * vector + 8 * row_3], sums_6[row_3][vector]);
                }
              }
            });
            // Computes output from bias and tile_3.
            for (int64_t i0 = i0_first_3; i0 < i0_end; ++i0) {
              [[maybe_unused]] int64_t q8 = q6;
              int64_t r9 = q7;
              for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                output[16 * n0 * n1 * q8 + 16 * i0 + r9] = tile_3[8 * i0 + i1 - i1_first - 8 * i0_first_3] + bias[i1];
                r9 += 1;
                if (r9 >= 16) {
                  r9 -= 16;
                  ++q8;
                }
              }
            }
          }
        }
      } else {
        if (n0 * n1 >= 7 && n0 * n1 < 9) {
          for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
            const int64_t q10 = i1_first / 8;
            const int64_t q11 = i1_first / 16;
            const int64_t q12 = i1_first % 16;
            const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
            for (int64_t i0_first_2 = rows_first; i0_first_2 < rows_end; i0_first_2 += 4) {
              const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_2 + 4);
              alignas(64) float tile_2[32];
              // Computes tile_2 from input and weights.
              burin_rt::outlined(tile_2, [=](float* __restrict tile_2_array) {
                burin_rt::FloatVector<4> sums_5[4][2];
                // Sets sums_5 to a constant.
#pragma GCC unroll 4
                for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    sums_5[row_2][vector] = burin_rt::broadcast<4>(0.0f);
                  }
                }
                // Adds products of input and weights to sums_5.
                for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 4
                  for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                    for (int64_t vector = 0; vector < 2; ++vector) {
                      sums_5[row_2][vector] = burin_rt::add_product<4>(
                          sums_5[row_2][vector],
                          &input[depth + 5 * burin_rt::minimum<int64_t>(i0_end - 1, row_2 + i0_first_2)],
                          &weights[4 * vector + 8 * depth + 40 * q10]);
                    }
                  }
                }
                // Copies sums_5 to tile_2_array.
#pragma GCC unroll 4
                for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    burin_rt::store(&tile_2_array[4 * vector + 8 * row_2], sums_5[row_2][vector]);
                  }
                }
              });
              // Computes output from bias and tile_2.
              for (int64_t i0 = i0_first_2; i0 < i0_end; ++i0) {
                [[maybe_unused]] int64_t q13 = q11;
                int64_t r14 = q12;
                for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                  output[16 * n0 * n1 * q13 + 16 * i0 + r14] =
                      tile_2[8 * i0 + i1 - i1_first - 8 * i0_first_2] + bias[i1];
                  r14 += 1;
                  if (r14 >= 16) {
                    r14 -= 16;
                    ++q13;
                  }
                }
              }
            }
          }
        } else {
          for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
            const int64_t q15 = i1_first / 8;
            const int64_t q16 = i1_first / 16;
            const int64_t q17 = i1_first % 16;
            const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
            for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += 6) {
              const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first + 6);
              alignas(64) float tile[48];
              // Computes tile from input and weights.
              if (i0_end < i0_first + 2) {
                burin_rt::outlined(tile, [=](float* __restrict tile_array) {
                  burin_rt::FloatVector<4> sums_4[1][2];
                  // Sets sums_4 to a constant.
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    sums_4[0][vector] = burin_rt::broadcast<4>(0.0f);
                  }
                  // Adds products of input and weights to sums_4.
                  for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
                    for (int64_t vector = 0; vector < 2; ++vector) {
                      sums_4[0][vector] = burin_rt::add_product<4>(
                          sums_4[0][vector], &input[depth + 5 * burin_rt::minimum<int64_t>(i0_first, i0_end - 1)],
                          &weights[4 * vector + 8 * depth + 40 * q15]);
                    }
                  }
                  // Copies sums_4 to tile_array.
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    burin_rt::store(&tile_array[4 * vector], sums_4[0][vector]);
                  }
                });
              } else {
                if (i0_end < i0_first + 3) {
                  burin_rt::outlined(tile, [=](float* __restrict tile_array) {
                    burin_rt::FloatVector<4> sums_3[2][2];
                    // Sets sums_3 to a constant.
#pragma GCC unroll 2
                    for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                      for (int64_t vector = 0; vector < 2; ++vector) {
                        sums_3[row_3][vector] = burin_rt::broadcast<4>(0.0f);
                      }
                    }
                    // Adds products of input and weights to sums_3.
                    for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
                      for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                        for (int64_t vector = 0; vector < 2; ++vector) {
                          sums_3[row_3][vector] = burin_rt::add_product<4>(
                              sums_3[row_3][vector],
                              &input[depth + 5 * burin_rt::minimum<int64_t>(i0_end - 1, i0_first + row_3)],
                              &weights[4 * vector + 8 * depth + 40 * q15]);
                        }
                      }
                    }
                    // Copies sums_3 to tile_array.
#pragma GCC unroll 2
                    for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                      for (int64_t vector = 0; vector < 2; ++vector) {
                        burin_rt::store(&tile_array[4 * vector + 8 * row_3], sums_3[row_3][vector]);
                      }
                    }
                  });
                } else {
                  if (i0_end < i0_first + 5) {
                    burin_rt::outlined(tile, [=](float* __restrict tile_array) {
                      burin_rt::FloatVector<4> sums_2[4][2];
                      // Sets sums_2 to a constant.
#pragma GCC unroll 4
                      for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                        for (int64_t vector = 0; vector < 2; ++vector) {
                          sums_2[row_2][vector] = burin_rt::broadcast<4>(0.0f);
                        }
                      }
                      // Adds products of input and weights to sums_2.
                      for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 4
                        for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                          for (int64_t vector = 0; vector < 2; ++vector) {
                            sums_2[row_2][vector] = burin_rt::add_product<4>(
                                sums_2[row_2][vector],
                                &input[depth + 5 * burin_rt::minimum<int64_t>(i0_end - 1, i0_first + row_2)],
                                &weights[4 * vector + 8 * depth + 40 * q15]);
                          }
                        }
                      }
                      // Copies sums_2 to tile_array.
#pragma GCC unroll 4
                      for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                        for (int64_t vector = 0; vector < 2; ++vector) {
                          burin_rt::store(&tile_array[4 * vector + 8 * row_2], sums_2[row_2][vector]);
                        }
                      }
                    });
                  } else {
                    burin_rt::outlined(tile, [=](float* __restrict tile_array) {
                      burin_rt::FloatVector<4> sums[6][2];
                      // Sets sums to a constant.
#pragma GCC unroll 6
                      for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
                        for (int64_t vector = 0; vector < 2; ++vector) {
                          sums[row][vector] = burin_rt::broadcast<4>(0.0f);
                        }
                      }
                      // Adds products of input and weights to sums.
                      for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 6
                        for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
                          for (int64_t vector = 0; vector < 2; ++vector) {
                            sums[row][vector] = burin_rt::add_product<4>(
                                sums[row][vector],
                                &input[depth + 5 * burin_rt::minimum<int64_t>(i0_end - 1, i0_first + row)],
                                &weights[4 * vector + 8 * depth + 40 * q15]);
                          }
                        }
                      }
                      // Copies sums to tile_array.
#pragma GCC unroll 6
                      for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
                        for (int64_t vector = 0; vector < 2; ++vector) {
                          burin_rt::store(&tile_array[8 * row + 4 * vector], sums[row][vector]);
                        }
                      }
                    });
                  }
                }
              }
              // Computes output from bias and tile.
              for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
                [[maybe_unused]] int64_t q18 = q16;
                int64_t r19 = q17;
                for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                  output[16 * n0 * n1 * q18 + 16 * i0 + r19] = tile[8 * i0 + i1 - i1_first - 8 * i0_first] + bias[i1];
                  r19 += 1;
                  if (r19 >= 16) {
                    r19 -= 16;
                    ++q18;
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace lstm_kernels
