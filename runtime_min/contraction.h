// SPDX-License-Identifier: MIT-0
// One tile of a product of packed panels, held in registers: what attention computes scores and
// sums with.
//
// tile[r][c] = sum over i of a[i][r] * b[i][c], for kRows rows and kVectors * kLanes columns, rows
// one after the other. Both panels are packed: a as [depth][kRows], b as [depth][kVectors *
// kLanes]. An element is summed in the order of i.
#ifndef BURIN_RT_CONTRACTION_H
#define BURIN_RT_CONTRACTION_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <int kRows, int kVectors, int kLanes>
BURIN_RT_APART void multiply_tile(const float* __restrict a, const float* __restrict b,
                                  int64_t depth, float* __restrict tile) {
  FloatVector<kLanes> sums[size_t{kRows}][size_t{kVectors}];
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[r][v] = broadcast<kLanes>(0.0f);
  }
  const ptrdiff_t points = static_cast<ptrdiff_t>(depth);
  for (ptrdiff_t i = 0; i < points; ++i) {
    FloatVector<kLanes> row[size_t{kVectors}];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = load<kLanes>(b + v * kLanes);
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) {
      const FloatVector<kLanes> factor = broadcast<kLanes>(a[r]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] = madd(factor, row[v], sums[r][v]);
    }
    a += kRows;
    b += kVectors * kLanes;
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) store(tile + (r * kVectors + v) * kLanes, sums[r][v]);
  }
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_CONTRACTION_H
