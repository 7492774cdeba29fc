// SPDX-License-Identifier: MIT-0
// Microkernels of operands that are read through windows: the rows of the panel that a tile needs
// are the staged operand itself, each shifted by what its tap says.
//
// Both combine in the order of the taps, whatever the tile's shape. `staged` is readable up to
// kVectors * kLanes elements past the place of every tap.
#ifndef BURIN_RT_WINDOW_H
#define BURIN_RT_WINDOW_H

#include "read_ahead.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// tile[r][c] = sum over i of a[i][r] * staged[shifts[i] + c], for kRows rows and kVectors * kLanes
// columns of the tile; a is packed as [depth][kRows].
template <int kRows, int kVectors, int kLanes, size_t kHeight, size_t kWidth>
BURIN_RT_APART void multiply_shifted(const float* __restrict a, const float* __restrict staged,
                                     const int32_t* __restrict shifts, int64_t depth,
                                     float (&__restrict tile)[kHeight][kWidth]) {
  static_assert(kRows <= kHeight && kVectors * kLanes <= kWidth, "beyond the tile");
  FloatVector<kLanes> sums[size_t{kRows}][size_t{kVectors}];
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[r][v] = broadcast<kLanes>(0.0f);
  }
  const ptrdiff_t points = static_cast<ptrdiff_t>(depth);
  for (ptrdiff_t i = 0; i < points; ++i) {
    const float* const b = staged + shifts[i];
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
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) store(tile[r] + v * kLanes, sums[r][v]);
  }
}

// The same for kBlocks blocks of rows, one after the other: few columns of one would give fewer
// sums than the pipes can have in flight. Only `blocks` of them are there; the last one stands for
// those beyond the end.
template <int kRows, int kBlocks, int kVectors, int kLanes, size_t kHeight, size_t kWidth>
BURIN_RT_APART void multiply_shifted_blocks(const float* __restrict a,
                                            const float* __restrict staged,
                                            const int32_t* __restrict shifts, int64_t blocks,
                                            int64_t depth,
                                            float (&__restrict tile)[kHeight][kWidth]) {
  static_assert(kBlocks * kRows <= kHeight && kVectors * kLanes <= kWidth, "beyond the tile");
  FloatVector<kLanes> sums[size_t{kBlocks * kRows}][size_t{kVectors}];
  const float* block[size_t{kBlocks}];
#pragma GCC unroll 8
  for (int k = 0; k < kBlocks; ++k) block[k] = a + (k < blocks ? k : blocks - 1) * depth * kRows;
#pragma GCC unroll 32
  for (int r = 0; r < kBlocks * kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[r][v] = broadcast<kLanes>(0.0f);
  }
  const ptrdiff_t points = static_cast<ptrdiff_t>(depth);
  for (ptrdiff_t i = 0; i < points; ++i) {
    const float* const b = staged + shifts[i];
    FloatVector<kLanes> row[size_t{kVectors}];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = load<kLanes>(b + v * kLanes);
#pragma GCC unroll 32
    for (int r = 0; r < kBlocks * kRows; ++r) {
      const FloatVector<kLanes> factor = broadcast<kLanes>(block[r / kRows][i * kRows + r % kRows]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] = madd(factor, row[v], sums[r][v]);
    }
    read_ahead<kBlocks * kRows>(a, kBlocks * kRows * (points + i));
  }
#pragma GCC unroll 32
  for (int r = 0; r < kBlocks * kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) store(tile[r] + v * kLanes, sums[r][v]);
  }
}

// How combine_shifted combines, and what it begins with.
struct Total {
  static constexpr float kStart = 0.0f;
  template <class Vector>
  static BURIN_RT_INLINE_MEMBER Vector combine(const Vector& so_far, const Vector& next) {
    return so_far + next;
  }
};
struct Greatest {  // NaN where any is NaN
  static constexpr float kStart = -__builtin_inff();
  template <class Vector>
  static BURIN_RT_INLINE_MEMBER Vector combine(const Vector& so_far, const Vector& next) {
    return greatest(so_far, next);
  }
};
struct Least {
  static constexpr float kStart = __builtin_inff();
  template <class Vector>
  static BURIN_RT_INLINE_MEMBER Vector combine(const Vector& so_far, const Vector& next) {
    return least(so_far, next);
  }
};

// tile[c] = combination over i of staged[shifts[i] + c].
template <class Combine, int kVectors, int kLanes, size_t kWidth>
BURIN_RT_APART void combine_shifted(const float* __restrict staged,
                                    const int32_t* __restrict shifts, int64_t depth,
                                    float (&__restrict tile)[1][kWidth]) {
  static_assert(kVectors * kLanes <= kWidth, "beyond the tile");
  FloatVector<kLanes> results[size_t{kVectors}];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) results[v] = broadcast<kLanes>(Combine::kStart);
  const ptrdiff_t points = static_cast<ptrdiff_t>(depth);
  for (ptrdiff_t i = 0; i < points; ++i) {
    const float* const next = staged + shifts[i];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v)
      results[v] = Combine::combine(results[v], load<kLanes>(next + v * kLanes));
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) store(tile[0] + v * kLanes, results[v]);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_WINDOW_H
