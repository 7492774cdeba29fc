// SPDX-License-Identifier: MIT-0
// contraction: LSTM 'lstm'
//
//   sum0[i0, i1] = sum over i2: in_x[(i0 div n0), (i0 mod n0), i2] * w_lstm_columns[i1, i2]
//   out_lstm_projection[i1 div 16, i0 div n0, i0 mod n0, i1 mod 16] := sum0[i0, i1] +
//       w_b_folded[(i1 div 16), (i1 mod 16)]
//
// in_x                 f32[seq, batch, 5], input of the network 'x'
// w_lstm_columns       f32[32, 5] laid out 0/8 1 [8], constant 'lstm_columns'
// w_b_folded           f32[2, 16], constant 'b_folded'
// out_lstm_projection  f32[2, seq, batch, 16], tensor 'lstm_projection'
// n0                   batch
// n1                   seq
//
// tiles of 6 x 8 for batch*seq x 32 x 5; of 1 or 2 or 4 for the last rows; two blocks of 4 for at
// most 8 rows, rows in blocks of 6552
#include "../kernels.h"
#include "../rt/contraction.h"
#include "../rt/elementary.h"

namespace pair_kernels {

void lstm_contraction_0dd01002(
    const float* __restrict in_x,
    const float* __restrict w_lstm_columns,
    const float* __restrict w_b_folded,
    float* __restrict out_lstm_projection,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch) {
  float* const a_panels = reinterpret_cast<float*>(scratch);
  for (int64_t rows_first = 0; rows_first < n0 * n1; rows_first += 6552) {
    const int64_t rows_end = burin_rt::minimum<int64_t>(rows_first + 6552, n0 * n1);
    int64_t i0_pitch = 6;
    if (n0 * n1 <= 2) i0_pitch = 2;
    if (n0 * n1 <= 1) i0_pitch = 1;
    if (n0 * n1 > 6 && n0 * n1 <= 8) i0_pitch = 4;
    for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += i0_pitch) {
      const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + i0_pitch, rows_end);
      float* to = a_panels + 5 * i0_first - 5 * rows_first;
      for (int64_t i2 = 0; i2 < 5; ++i2) {
        for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
          to[i0 - i0_first] = in_x[5 * i0 + i2];
        }
        for (int64_t lane = i0_end - i0_first; lane < i0_pitch; ++lane) to[lane] = 0.0f;
        to += i0_pitch;
      }
    }
    for (int64_t i1_first = 0; i1_first < 32; i1_first += 8) {
      const int64_t i1_end = burin_rt::minimum<int64_t>(i1_first + 8, 32);
      for (int64_t i0_first = rows_first; i0_first < rows_end; i0_first += i0_pitch) {
        const int64_t i0_end = burin_rt::minimum<int64_t>(i0_first + i0_pitch, rows_end);
        float tile[6][8];
        if (n0 * n1 <= 1) {
          burin_rt::multiply_tile<1, 2, 4>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        } else if (n0 * n1 <= 2) {
          burin_rt::multiply_tile<2, 2, 4>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        } else if (n0 * n1 > 6 && n0 * n1 <= 8) {
          burin_rt::multiply_tile<4, 2, 4>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        } else if (i0_end - i0_first <= 1) {
          burin_rt::multiply_tile<1, 2, 4, 1, 6>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        } else if (i0_end - i0_first <= 2) {
          burin_rt::multiply_tile<2, 2, 4, 1, 6>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        } else if (i0_end - i0_first <= 4) {
          burin_rt::multiply_tile<4, 2, 4, 1, 6>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        } else {
          burin_rt::multiply_tile<6, 2, 4>(a_panels + 5 * i0_first - 5 * rows_first, w_lstm_columns + 5 * i1_first, 5, tile);
        }
        const int64_t q0 = i1_first / 16;
        const int64_t q1 = i1_first % 16;
        for (int64_t i0 = i0_first; i0 < i0_end; ++i0) {
          {
            [[maybe_unused]] int64_t q2 = q0;
            int64_t r3 = q1;
            for (int64_t i1 = i1_first; i1 < i1_end; ++i1) {
              out_lstm_projection[16 * n0 * n1 * q2 + 16 * i0 + r3] = tile[i0 - i0_first][i1 - i1_first] + w_b_folded[i1];
              r3 += 1;
              if (r3 >= 16) {
                r3 -= 16;
                ++q2;
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace pair_kernels
