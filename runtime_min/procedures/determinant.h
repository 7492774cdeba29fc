// SPDX-License-Identifier: MIT-0
// Determinants of square matrices: Gaussian elimination in double, the largest pivot of each column
// first.
//
// reads      0: X, T[batch, n, n]
// writes     0: determinants, T[batch]
// arguments  0: batch, 1: n
// results    none
// scratch    8*n*n bytes
// n = 0 gives 1. Each step keeps to double's rounding: relative error about n * 2^-53 times the
// growth of the elimination, then one rounding to T. O(batch * n^3).
#ifndef BURIN_RT_PROCEDURES_DETERMINANT_H
#define BURIN_RT_PROCEDURES_DETERMINANT_H

#include "../fma.h"
#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t determinant_scratch_bytes(const int64_t* arguments) {
  return arguments[1] > 0 ? 8 * arguments[1] * arguments[1] : 0;
}

namespace detail {

// Destroys m[n, n].
static inline double eliminate(double* m, int64_t n) {
  double determinant = 1.0;
  for (int64_t column = 0; column < n; ++column) {
    int64_t pivot = column;
    for (int64_t row = column + 1; row < n; ++row) {
      if (abs(m[row * n + column]) > abs(m[pivot * n + column])) pivot = row;
    }
    if (pivot != column) {
      for (int64_t i = column; i < n; ++i) {
        const double held = m[pivot * n + i];
        m[pivot * n + i] = m[column * n + i];
        m[column * n + i] = held;
      }
      determinant = -determinant;
    }
    const double top = m[column * n + column];
    if (top == 0.0) return 0.0;
    determinant *= top;
    for (int64_t row = column + 1; row < n; ++row) {
      const double factor = m[row * n + column] / top;
      for (int64_t i = column + 1; i < n; ++i) {
        m[row * n + i] = madd(-factor, m[column * n + i], m[row * n + i]);
      }
    }
  }
  return determinant;
}

}  // namespace detail

// T: float or double.
template <class T>
static inline int32_t determinant(const ProcedureCall& call) {
  const int64_t batch = call.arguments[0];
  const int64_t n = call.arguments[1];
  if (!detail::sizes_are_sane(batch, n, n, 8) || !detail::sizes_are_sane(n, n, 1, 8)) {
    return kInvalidArgument;
  }
  if (batch == 0) return kOk;
  const T* x = static_cast<const T*>(call.reads[0]);
  T* y = static_cast<T*>(call.writes[0]);
  double* work = static_cast<double*>(call.scratch);
  if (y == nullptr || (n > 0 && (x == nullptr || work == nullptr))) return kNullArgument;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t i = 0; i < n * n; ++i) work[i] = static_cast<double>(x[b * n * n + i]);
    y[b] = static_cast<T>(detail::eliminate(work, n));
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_DETERMINANT_H
