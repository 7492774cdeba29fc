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
// tiles of 6 x 8 for batch*seq x 32 x 5; of 1 or 2 or 4 for the last rows; two blocks of 4 for at most 8 rows, rows in
// blocks of 6552
#include "../kernels.h"
#include "../rt/elementary.h"
#include "../rt/integer.h"
#include "../rt/outlined.h"
#include "../rt/vec.h"

namespace lstm_kernels {

void lstm_contraction_96524f1c(
    const float* __restrict input,
    const float* __restrict weights,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch) {
  float* const a_panels = reinterpret_cast<float*>(scratch);
  float* const a_panels_2 = reinterpret_cast<float*>(scratch);
  float* const a_panels_3 = reinterpret_cast<float*>(scratch);
  float* const a_panels_4 = reinterpret_cast<float*>(scratch);
  // Computes output from input, weights and bias.
  for (int64_t rows_first = 0; rows_first < n0 * n1; rows_first += 6552) {
    const int64_t rows_end = burin_rt::minimum<int64_t>(n0 * n1, rows_first + 6552);
    if (n0 * n1 < 2) {
      // Copies input to a_panels_4.
      for (int64_t i0_first_4 = rows_first; i0_first_4 < rows_end; ++i0_first_4) {
        const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_4 + 1);
        for (int64_t i2 = 0; i2 < 5; ++i2) {
          for (int64_t i0 = i0_first_4; i0 < i0_end; ++i0) {
            a_panels_4[i0 + i2 - 5 * rows_first + 4 * i0_first_4] = input[5 * i0 + i2];
          }
        }
      }
      // Computes output from weights, bias and a_panels_4.
      for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
        const int64_t q0 = i1_first / 8;
        const int64_t q1 = i1_first / 16;
        const int64_t q2 = i1_first % 16;
        const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
        for (int64_t i0_first_4 = rows_first; i0_first_4 < rows_end; ++i0_first_4) {
          const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_4 + 1);
          alignas(64) float tile_4[8];
          // Computes tile_4 from weights and a_panels_4.
          burin_rt::outlined(tile_4, [=](float* __restrict tile_4_array) {
            burin_rt::FloatVector<4> sums_7[1][2];
            // Sets sums_7 to a constant.
#pragma GCC unroll 2
            for (int64_t vector = 0; vector < 2; ++vector) {
              sums_7[0][vector] = burin_rt::broadcast<4>(0.0f);
            }
            // Adds products of weights and a_panels_4 to sums_7.
            for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
              for (int64_t vector = 0; vector < 2; ++vector) {
                sums_7[0][vector] = burin_rt::add_product<4>(
                    sums_7[0][vector], &a_panels_4[-5 * rows_first + depth + 5 * i0_first_4],
                    &weights[4 * vector + 8 * depth + 40 * q0]);
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
        // Copies input to a_panels_3.
        for (int64_t i0_first_3 = rows_first; i0_first_3 < rows_end; i0_first_3 += 2) {
          const int64_t q5 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first_3, 2);
          const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_3 + 2);
          for (int64_t i2 = 0; i2 < 5; ++i2) {
            for (int64_t i0 = i0_first_3; i0 < i0_end; ++i0) {
              a_panels_3[i0 + 2 * i2 - i0_first_3 + 10 * q5] = input[5 * i0 + i2];
            }
            // Sets a_panels_3 to a constant.
            for (int64_t panel_lane_3 = i0_end - i0_first_3; panel_lane_3 < 2; ++panel_lane_3) {
              a_panels_3[2 * i2 + panel_lane_3 + 10 * q5] = 0.0f;
            }
          }
        }
        // Computes output from weights, bias and a_panels_3.
        for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
          const int64_t q6 = i1_first / 8;
          const int64_t q7 = i1_first / 16;
          const int64_t q8 = i1_first % 16;
          const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
          for (int64_t i0_first_3 = rows_first; i0_first_3 < rows_end; i0_first_3 += 2) {
            const int64_t q9 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first_3, 2);
            const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_3 + 2);
            alignas(64) float tile_3[16];
            // Computes tile_3 from weights and a_panels_3.
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
              // Adds products of weights and a_panels_3 to sums_6.
              for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
                for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    sums_6[row_3][vector] = burin_rt::add_product<4>(
                        sums_6[row_3][vector], &a_panels_3[2 * depth + row_3 + 10 * q9],
                        &weights[4 * vector + 8 * depth + 40 * q6]);
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
              [[maybe_unused]] int64_t q10 = q7;
              int64_t r11 = q8;
              for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                output[16 * n0 * n1 * q10 + 16 * i0 + r11] = tile_3[8 * i0 + i1 - i1_first - 8 * i0_first_3] + bias[i1];
                r11 += 1;
                if (r11 >= 16) {
                  r11 -= 16;
                  ++q10;
                }
              }
            }
          }
        }
      } else {
        if (n0 * n1 >= 7 && n0 * n1 < 9) {
          // Copies input to a_panels_2.
          for (int64_t i0_first_2 = rows_first; i0_first_2 < rows_end; i0_first_2 += 4) {
            const int64_t q12 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first_2, 4);
            const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_2 + 4);
            for (int64_t i2 = 0; i2 < 5; ++i2) {
              for (int64_t i0 = i0_first_2; i0 < i0_end; ++i0) {
                a_panels_2[i0 + 4 * i2 - i0_first_2 + 20 * q12] = input[5 * i0 + i2];
              }
              // Sets a_panels_2 to a constant.
              for (int64_t panel_lane_2 = i0_end - i0_first_2; panel_lane_2 < 4; ++panel_lane_2) {
                a_panels_2[4 * i2 + panel_lane_2 + 20 * q12] = 0.0f;
              }
            }
          }
          // Computes output from weights, bias and a_panels_2.
          for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
            const int64_t q13 = i1_first / 8;
            const int64_t q14 = i1_first / 16;
            const int64_t q15 = i1_first % 16;
            const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
            for (int64_t i0_first_2 = rows_first; i0_first_2 < rows_end; i0_first_2 += 4) {
              const int64_t q16 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first_2, 4);
              const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first_2 + 4);
              alignas(64) float tile_2[32];
              // Computes tile_2 from weights and a_panels_2.
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
                // Adds products of weights and a_panels_2 to sums_5.
                for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 4
                  for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                    for (int64_t vector = 0; vector < 2; ++vector) {
                      sums_5[row_2][vector] = burin_rt::add_product<4>(
                          sums_5[row_2][vector], &a_panels_2[4 * depth + row_2 + 20 * q16],
                          &weights[4 * vector + 8 * depth + 40 * q13]);
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
                [[maybe_unused]] int64_t q17 = q14;
                int64_t r18 = q15;
                for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                  output[16 * n0 * n1 * q17 + 16 * i0 + r18] =
                      tile_2[8 * i0 + i1 - i1_first - 8 * i0_first_2] + bias[i1];
                  r18 += 1;
                  if (r18 >= 16) {
                    r18 -= 16;
                    ++q17;
                  }
                }
              }
            }
          }
        } else {
          // Copies input to a_panels.
          for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += 6) {
            const int64_t q19 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first, 6);
            const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first + 6);
            for (int64_t i2 = 0; i2 < 5; ++i2) {
              for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
                a_panels[i0 + 6 * i2 - i0_first + 30 * q19] = input[5 * i0 + i2];
              }
              // Sets a_panels to a constant.
              for (int64_t panel_lane = -i0_first + i0_end; panel_lane < 6; ++panel_lane) {
                a_panels[6 * i2 + panel_lane + 30 * q19] = 0.0f;
              }
            }
          }
          // Computes output from weights, bias and a_panels.
          for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
            const int64_t q20 = i1_first / 8;
            const int64_t q21 = i1_first / 16;
            const int64_t q22 = i1_first % 16;
            const int64_t i1_end = burin_rt::minimum<int64_t>(32, i1_first + 8);
            for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += 6) {
              const int64_t q23 = burin_rt::floor_divide<int64_t>(-rows_first + i0_first, 6);
              const int64_t i0_end = burin_rt::minimum<int64_t>(rows_end, i0_first + 6);
              alignas(64) float tile[48];
              // Computes tile from weights and a_panels.
              if (i0_end < i0_first + 2) {
                burin_rt::outlined(tile, [=](float* __restrict tile_array) {
                  burin_rt::FloatVector<4> sums_4[1][2];
                  // Sets sums_4 to a constant.
#pragma GCC unroll 2
                  for (int64_t vector = 0; vector < 2; ++vector) {
                    sums_4[0][vector] = burin_rt::broadcast<4>(0.0f);
                  }
                  // Adds products of weights and a_panels to sums_4.
                  for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
                    for (int64_t vector = 0; vector < 2; ++vector) {
                      sums_4[0][vector] = burin_rt::add_product<4>(
                          sums_4[0][vector], &a_panels[6 * depth + 30 * q23],
                          &weights[4 * vector + 8 * depth + 40 * q20]);
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
                    // Adds products of weights and a_panels to sums_3.
                    for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 2
                      for (int64_t row_3 = 0; row_3 < 2; ++row_3) {
#pragma GCC unroll 2
                        for (int64_t vector = 0; vector < 2; ++vector) {
                          sums_3[row_3][vector] = burin_rt::add_product<4>(
                              sums_3[row_3][vector], &a_panels[6 * depth + row_3 + 30 * q23],
                              &weights[4 * vector + 8 * depth + 40 * q20]);
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
                      // Adds products of weights and a_panels to sums_2.
                      for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 4
                        for (int64_t row_2 = 0; row_2 < 4; ++row_2) {
#pragma GCC unroll 2
                          for (int64_t vector = 0; vector < 2; ++vector) {
                            sums_2[row_2][vector] = burin_rt::add_product<4>(
                                sums_2[row_2][vector], &a_panels[6 * depth + row_2 + 30 * q23],
                                &weights[4 * vector + 8 * depth + 40 * q20]);
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
                      // Adds products of weights and a_panels to sums.
                      for (int64_t depth = 0; depth < 5; ++depth) {
#pragma GCC unroll 6
                        for (int64_t row = 0; row < 6; ++row) {
#pragma GCC unroll 2
                          for (int64_t vector = 0; vector < 2; ++vector) {
                            sums[row][vector] = burin_rt::add_product<4>(
                                sums[row][vector], &a_panels[row + 6 * depth + 30 * q23],
                                &weights[4 * vector + 8 * depth + 40 * q20]);
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
                [[maybe_unused]] int64_t q24 = q21;
                int64_t r25 = q22;
                for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
                  output[16 * n0 * n1 * q24 + 16 * i0 + r25] = tile[8 * i0 + i1 - 8 * i0_first - i1_first] + bias[i1];
                  r25 += 1;
                  if (r25 >= 16) {
                    r25 -= 16;
                    ++q24;
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
