// SPDX-License-Identifier: MIT-0
// Inverses of square matrices: Gauss-Jordan elimination in double, the largest pivot of each column
// first.
//
// reads      0: X, T[batch, n, n]
// writes     0: inverses, T[batch, n, n]
// arguments  0: batch, 1: n
// results    none
// scratch    16*n*n bytes
// A matrix that has no inverse gives NaN. Each step keeps to double's rounding, then one rounding
// to T. O(batch * n^3).
#ifndef BURIN_RT_PROCEDURES_INVERSE_H
#define BURIN_RT_PROCEDURES_INVERSE_H

#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t inverse_scratch_bytes(const int64_t* arguments) {
  return arguments[1] > 0 ? 16 * arguments[1] * arguments[1] : 0;
}

namespace detail {

static inline void swap_rows(double* m, int64_t n, int64_t a, int64_t b) {
  for (int64_t k = 0; k < n; ++k) {
    const double held = m[a * n + k];
    m[a * n + k] = m[b * n + k];
    m[b * n + k] = held;
  }
}

// Destroys m[n, n]; `out`, the identity at first, becomes its inverse.
static inline void invert(double* m, double* out, int64_t n) {
  for (int64_t column = 0; column < n; ++column) {
    int64_t pivot = column;
    for (int64_t row = column + 1; row < n; ++row) {
      const double here = m[row * n + column], best = m[pivot * n + column];
      if ((here < 0 ? -here : here) > (best < 0 ? -best : best)) pivot = row;
    }
    if (pivot != column) {
      swap_rows(m, n, pivot, column);
      swap_rows(out, n, pivot, column);
    }
    // 0 / 0 where there is no pivot.
    const double by = m[column * n + column];
    for (int64_t k = 0; k < n; ++k) {
      m[column * n + k] = by == 0 ? by / by : m[column * n + k] / by;
      out[column * n + k] = by == 0 ? by / by : out[column * n + k] / by;
    }
    for (int64_t row = 0; row < n; ++row) {
      const double factor = m[row * n + column];
      if (row == column) continue;
      for (int64_t k = 0; k < n; ++k) {
        m[row * n + k] -= factor * m[column * n + k];
        out[row * n + k] -= factor * out[column * n + k];
      }
    }
  }
}

}  // namespace detail

template <class T>
int32_t inverse(const ProcedureCall& call) {
  const int64_t batch = call.arguments[0], n = call.arguments[1];
  if (!detail::sizes_are_sane(batch, n, n, 16)) return kInvalidArgument;
  const T* x = static_cast<const T*>(call.reads[0]);
  T* y = static_cast<T*>(call.writes[0]);
  double* m = static_cast<double*>(call.scratch);
  double* out = m + n * n;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t k = 0; k < n * n; ++k) {
      m[k] = static_cast<double>(x[b * n * n + k]);
      out[k] = k / n == k % n ? 1.0 : 0.0;
    }
    detail::invert(m, out, n);
    for (int64_t k = 0; k < n * n; ++k) y[b * n * n + k] = static_cast<T>(out[k]);
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_INVERSE_H
