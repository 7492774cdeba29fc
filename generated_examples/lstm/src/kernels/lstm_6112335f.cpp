// LSTM: recurrent
//
//   sum0 = sum i3: ({1 <= i0 < n1: v5[i0 - 1, i1, i3]; else x0[1, i1, i3]} * x1[1, i2, i3])
//   sum1 = sum i3: ({1 <= i0 < n1: v5[i0 - 1, i1, i3]; else x0[1, i1, i3]} * x1[1, i2 + 4, i3])
//   sum2 = sum i3: ({1 <= i0 < n1: v5[i0 - 1, i1, i3]; else x0[1, i1, i3]} * x1[1, i2 + 8, i3])
//   sum3 = sum i3: ({1 <= i0 < n1: v5[i0 - 1, i1, i3]; else x0[1, i1, i3]} * x1[1, i2 + 12, i3])
//   v4 = map: (((1 / (exp(neg((x2[1, n1 - i0 - 1, i1, i2 + 8] + sum2[i0, i1, i2]))) + 1)) * {1 <= i0 < n1: v4[i0 - 1, i1, i2]; else x3[1, i1, i2]}) + ((1 / (exp(neg((x2[1, n1 - i0 - 1, i1, i2] + sum0[i0, i1, i2]))) + 1)) * tanh((x2[1, n1 - i0 - 1, i1, i2 + 12] + sum3[i0, i1, i2]))))
//   v5 = map: ((1 / (exp(neg((x2[1, n1 - i0 - 1, i1, i2 + 4] + sum1[i0, i1, i2]))) + 1)) * tanh(v4[i0, i1, i2]))
//   y0[n1 - i0 - 1, 1, i1, i2] := v5[i0, i1, i2]
//   y1[1, i1, i2] := v5[i0, i1, i2] when n1 - 1 <= i0 < n1
//   y2[1, i1, i2] := v4[i0, i1, i2] when n1 - 1 <= i0 < n1
//
// generic loops in the order of the axes
#include "../kernels.h"
#include "../rt/exp.h"
#include "../rt/hyperbolic.h"

namespace lstm_kernels {

void lstm_6112335f(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, float* __restrict y1, float* __restrict y2, const int64_t n0, const int64_t n1, uint8_t* __restrict scratch) {
  float* const v4_rows = reinterpret_cast<float*>(scratch);
  float* const v5_rows = reinterpret_cast<float*>(scratch + 64 * ((n0 + 1) / 2));
  for (int64_t i0 = 0; i0 < n1; ++i0) {
    const int64_t q0 = ((i0 + 1) % 2);
    const int64_t q1 = (i0 % 2);
    for (int64_t i1 = 0; i1 < n0; ++i1) {
      for (int64_t i2 = 0; i2 < 4; ++i2) {
        float sum0 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t2;
          if (i0 >= 1) {
            t2 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t2 = x0[4 * n0 + 4 * i1 + i3];
          }
          sum0 += (t2 * x1[4 * i2 + i3 + 64]);
        }
        float sum1 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t3;
          if (i0 >= 1) {
            t3 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t3 = x0[4 * n0 + 4 * i1 + i3];
          }
          sum1 += (t3 * x1[4 * i2 + i3 + 80]);
        }
        float sum2 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t4;
          if (i0 >= 1) {
            t4 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t4 = x0[4 * n0 + 4 * i1 + i3];
          }
          sum2 += (t4 * x1[4 * i2 + i3 + 96]);
        }
        float sum3 = 0.0f;
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float t5;
          if (i0 >= 1) {
            t5 = v5_rows[4 * n0 * q0 + 4 * i1 + i3];
          } else {
            t5 = x0[4 * n0 + 4 * i1 + i3];
          }
          sum3 += (t5 * x1[4 * i2 + i3 + 112]);
        }
        const float t6 = burin_rt::exp((-(x2[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2 + 8] + sum2))) + 1.0f;
        float t7;
        if (i0 >= 1) {
          t7 = v4_rows[4 * n0 * q0 + 4 * i1 + i2];
        } else {
          t7 = x3[4 * n0 + 4 * i1 + i2];
        }
        const float t8 = burin_rt::exp((-(x2[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2] + sum0))) + 1.0f;
        const float t9 = (1.0f / t8) * burin_rt::tanh((x2[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2 + 12] + sum3));
        v4_rows[4 * n0 * q1 + 4 * i1 + i2] = (((1.0f / t6) * t7) + t9);
        const float t10 = burin_rt::exp((-(x2[-16 * n0 + 32 * n0 * n1 - 16 * n0 * i0 + 16 * i1 + i2 + 4] + sum1))) + 1.0f;
        v5_rows[4 * n0 * q1 + 4 * i1 + i2] = ((1.0f / t10) * burin_rt::tanh(v4_rows[4 * n0 * q1 + 4 * i1 + i2]));
        y0[-4 * n0 + 8 * n0 * n1 - 8 * n0 * i0 + 4 * i1 + i2] = v5_rows[4 * n0 * q1 + 4 * i1 + i2];
        if (i0 >= n1 - 1) {
          y1[4 * n0 + 4 * i1 + i2] = v5_rows[4 * n0 * q1 + 4 * i1 + i2];
        }
        if (i0 >= n1 - 1) {
          y2[4 * n0 + 4 * i1 + i2] = v4_rows[4 * n0 * q1 + 4 * i1 + i2];
        }
      }
    }
  }
}

}  // namespace lstm_kernels
