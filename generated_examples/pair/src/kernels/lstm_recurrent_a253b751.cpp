// SPDX-License-Identifier: MIT-0
// recurrent: LSTM 'lstm'
//
//   sum0[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else in_h0[0, i1, i3]} *
//       w_r[0, i2, i3]
//   sum1[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else in_h0[0, i1, i3]} *
//       w_r[0, i2 + 4, i3]
//   sum2[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else in_h0[0, i1, i3]} *
//       w_r[0, i2 + 8, i3]
//   sum3[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else in_h0[0, i1, i3]} *
//       w_r[0, i2 + 12, i3]
//   v4[i0, i1, i2] = ((1 / (exp(neg((in_lstm_projection[0, i0, i1, i2 + 8] + sum2[i0, i1, i2]))) +
//       1)) * {1 <= i0 < n1: v4[i0 - 1, i1, i2]; else in_c0[0, i1, i2]}) + ((1 /
//       (exp(neg((in_lstm_projection[0, i0, i1, i2] + sum0[i0, i1, i2]))) + 1)) *
//       tanh((in_lstm_projection[0, i0, i1, i2 + 12] + sum3[i0, i1, i2])))
//   v5[i0, i1, i2] = (1 / (exp(neg((in_lstm_projection[0, i0, i1, i2 + 4] + sum1[i0, i1, i2]))) +
//       1)) * tanh(v4[i0, i1, i2])
//   out_y[i0, 0, i1, i2] := v5[i0, i1, i2]
//   out_y_h[0, i1, i2] := v5[i0, i1, i2] where n1 - 1 <= i0 < n1
//   out_y_c[0, i1, i2] := v4[i0, i1, i2] where n1 - 1 <= i0 < n1
//
// in_h0               f32[2, batch, 4], input of the network 'h0'
// w_r                 f32[2, 16, 4], constant 'r'
// in_lstm_projection  f32[2, seq, batch, 16], tensor 'lstm_projection'
// in_c0               f32[2, batch, 4], input of the network 'c0'
// out_y               f32[seq, 2, batch, 4], output of the network 'y'
// out_y_h             f32[2, batch, 4], output of the network 'y_h'
// out_y_c             f32[2, batch, 4], output of the network 'y_c'
// n0                  batch
// n1                  seq
//
// generic loops in the order of the axes
#include "../kernels.h"
#include "../rt/exp.h"
#include "../rt/hyperbolic.h"

namespace pair_kernels {

void lstm_recurrent_a253b751(
    const float* __restrict in_h0,
    const float* __restrict w_r,
    const float* __restrict in_lstm_projection,
    const float* __restrict in_c0,
    float* __restrict out_y,
    float* __restrict out_y_h,
    float* __restrict out_y_c,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch) {
  float* const v4_rows = reinterpret_cast<float*>(scratch);
  float* const v5_rows = reinterpret_cast<float*>(scratch + 64 * ((n0 + 1) / 2));
  for (int64_t i0 = 0; i0 < n1; ++i0) {
    const int64_t q0 = (i0 + 1) % 2;
    const int64_t q1 = i0 % 2;
    for (int64_t i1 = 0; i1 < n0; ++i1) {
      for (int64_t i2 = 0; i2 < 4; ++i2) {
        float sum0 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t0;
          if (i0 >= 1) {
            t0 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t0 = in_h0[4 * i1 + i3];
          }
          sum0 += t0 * w_r[4 * i2 + i3];
        }
        float sum1 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t1;
          if (i0 >= 1) {
            t1 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t1 = in_h0[4 * i1 + i3];
          }
          sum1 += t1 * w_r[4 * i2 + i3 + 16];
        }
        float sum2 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t2;
          if (i0 >= 1) {
            t2 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t2 = in_h0[4 * i1 + i3];
          }
          sum2 += t2 * w_r[4 * i2 + i3 + 32];
        }
        float sum3 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t3;
          if (i0 >= 1) {
            t3 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t3 = in_h0[4 * i1 + i3];
          }
          sum3 += t3 * w_r[4 * i2 + i3 + 48];
        }
        const float t4 = 1.0f / (burin_rt::exp((-(in_lstm_projection[16 * n0 * i0 + 16 * i1 + i2 + 8] + sum2))) + 1.0f);
        float t5;
        if (i0 >= 1) {
          t5 = v4_rows[4 * n0 * q0 + 4 * i1 + i2];
        } else {
          t5 = in_c0[4 * i1 + i2];
        }
        const float t6 = 1.0f / (burin_rt::exp((-(in_lstm_projection[16 * n0 * i0 + 16 * i1 + i2] + sum0))) + 1.0f);
        const float t7 = (t4 * t5) + (t6 * burin_rt::tanh((in_lstm_projection[16 * n0 * i0 + 16 * i1 + i2 + 12] + sum3)));
        v4_rows[4 * n0 * q1 + 4 * i1 + i2] = t7;
        const float t8 = 1.0f / (burin_rt::exp((-(in_lstm_projection[16 * n0 * i0 + 16 * i1 + i2 + 4] + sum1))) + 1.0f);
        v5_rows[4 * n0 * q1 + 4 * i1 + i2] = t8 * burin_rt::tanh(v4_rows[4 * n0 * q1 + 4 * i1 + i2]);
        out_y[8 * n0 * i0 + 4 * i1 + i2] = v5_rows[4 * n0 * q1 + 4 * i1 + i2];
        if (i0 == n1 - 1) {
          out_y_h[4 * i1 + i2] = v5_rows[4 * n0 * q1 + 4 * i1 + i2];
        }
        if (i0 == n1 - 1) {
          out_y_c[4 * i1 + i2] = v4_rows[4 * n0 * q1 + 4 * i1 + i2];
        }
      }
    }
  }
}

}  // namespace pair_kernels
