// SPDX-License-Identifier: MIT-0
// recurrent: LSTM 'lstm'
//   LSTM: direction="bidirectional", hidden_size=4
//
//   sum0[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else input0[1, i1, i3]} * weights[1, i2, i3]
//   sum1[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else input0[1, i1, i3]} * weights[1, i2 + 4, i3]
//   sum2[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else input0[1, i1, i3]} * weights[1, i2 + 8, i3]
//   sum3[i0, i1, i2] = sum over i3: {1 <= i0 < n1: v5[i0 - 1, i1, i3]; else input0[1, i1, i3]} * weights[1, i2 + 12,
//       i3]
//   v4[i0, i1, i2] = ((1 / (exp(neg((input1[1, n1 - i0 - 1, i1, i2 + 8] + sum2[i0, i1, i2]))) + 1)) * {1 <= i0 < n1:
//       v4[i0 - 1, i1, i2]; else input2[1, i1, i2]}) + ((1 / (exp(neg((input1[1, n1 - i0 - 1, i1, i2] + sum0[i0, i1,
//       i2]))) + 1)) * tanh((input1[1, n1 - i0 - 1, i1, i2 + 12] + sum3[i0, i1, i2])))
//   v5[i0, i1, i2] = (1 / (exp(neg((input1[1, n1 - i0 - 1, i1, i2 + 4] + sum1[i0, i1, i2]))) + 1)) * tanh(v4[i0, i1,
//       i2])
//   output0[n1 - i0 - 1, 1, i1, i2] := v5[i0, i1, i2]
//   output1[1, i1, i2] := v5[i0, i1, i2] where n1 - 1 <= i0 < n1
//   output2[1, i1, i2] := v4[i0, i1, i2] where n1 - 1 <= i0 < n1
//
// input0   f32[2, batch, 4], strides [4*batch, 4, 1], input of the network 'h0'
// weights  f32[2, 16, 4], strides [64, 4, 1], constant 'r'
// input1   f32[2, seq, batch, 16], strides [16*batch*seq, 16*batch, 16, 1]
// input2   f32[2, batch, 4], strides [4*batch, 4, 1], input of the network 'c0'
// output0  f32[seq, 2, batch, 4], strides [8*batch, 4*batch, 4, 1], output of the network 'y'
// output1  f32[2, batch, 4], strides [4*batch, 4, 1], output of the network 'y_h'
// output2  f32[2, batch, 4], strides [4*batch, 4, 1], output of the network 'y_c'
// n0       batch
// n1       seq
//
// generic loops in the order of the axes
#include "../kernels.h"
#include "../rt/exp.h"
#include "../rt/hyperbolic.h"

namespace pair_kernels {

void lstm_recurrent_b5b73a0f(
    const float* __restrict input0,
    const float* __restrict weights,
    const float* __restrict input1,
    const float* __restrict input2,
    float* __restrict output0,
    float* __restrict output1,
    float* __restrict output2,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch) {
  float* const v4_rows = reinterpret_cast<float*>(scratch);
  float* const v5_rows = reinterpret_cast<float*>(scratch + 64 * ((n0 + 1) / 2));
  // Computes output0, output1, output2, v4_rows and v5_rows from input0, weights, input1 and
  // input2.
  for (int64_t i0 = 0; i0 < n1; ++i0) {
    const int64_t q0 = (i0 + 1) % 2;
    const int64_t q1 = i0 % 2;
    for (int64_t i1 = 0; i1 < n0; ++i1) {
      for (int64_t i2 = 0; i2 < 4; ++i2) {
        float sum0 = 0.0f;
        // Adds products of input0, weights and v5_rows to sum0.
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t0;
          if (i0 >= 1) {
            t0 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t0 = input0[4 * n0 + 4 * i1 + i3];
          }
          sum0 += t0 * weights[4 * i2 + i3 + 64];
        }
        float sum1 = 0.0f;
        // Adds products of input0, weights and v5_rows to sum1.
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t1;
          if (i0 >= 1) {
            t1 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t1 = input0[4 * n0 + 4 * i1 + i3];
          }
          sum1 += t1 * weights[4 * i2 + i3 + 80];
        }
        float sum2 = 0.0f;
        // Adds products of input0, weights and v5_rows to sum2.
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t2;
          if (i0 >= 1) {
            t2 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t2 = input0[4 * n0 + 4 * i1 + i3];
          }
          sum2 += t2 * weights[4 * i2 + i3 + 96];
        }
        float sum3 = 0.0f;
        // Adds products of input0, weights and v5_rows to sum3.
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t3;
          if (i0 >= 1) {
            t3 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t3 = input0[4 * n0 + 4 * i1 + i3];
          }
          sum3 += t3 * weights[4 * i2 + i3 + 112];
        }
        const float t4 = burin_rt::exp((-(input1[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2 + 8] + sum2)));
        float t5;
        if (i0 >= 1) {
          t5 = v4_rows[4 * n0 * q0 + 4 * i1 + i2];
        } else {
          t5 = input2[4 * n0 + 4 * i1 + i2];
        }
        const float t6 =
            burin_rt::exp((-(input1[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2] + sum0))) + 1.0f;
        const float t7 = burin_rt::tanh((input1[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2 + 12] + sum3));
        v4_rows[4 * n0 * q1 + 4 * i1 + i2] = ((1.0f / (t4 + 1.0f)) * t5) + ((1.0f / t6) * t7);
        const float t8 = burin_rt::exp((-(input1[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2 + 4] + sum1)));
        v5_rows[4 * n0 * q1 + 4 * i1 + i2] = (1.0f / (t8 + 1.0f)) * burin_rt::tanh(v4_rows[4 * n0 * q1 + 4 * i1 + i2]);
        output0[-4 * n0 + 8 * n0 * n1 - 8 * n0 * i0 + 4 * i1 + i2] = v5_rows[4 * n0 * q1 + 4 * i1 + i2];
        // Copies v5_rows to output1.
        if (i0 == n1 - 1) {
          output1[4 * n0 + 4 * i1 + i2] = v5_rows[4 * n0 * q1 + 4 * i1 + i2];
        }
        // Copies v4_rows to output2.
        if (i0 == n1 - 1) {
          output2[4 * n0 + 4 * i1 + i2] = v4_rows[4 * n0 * q1 + 4 * i1 + i2];
        }
      }
    }
  }
}

}  // namespace pair_kernels
