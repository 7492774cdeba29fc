// SPDX-License-Identifier: MIT-0
// The microkernel of contractions: one tile of a matrix product, held in registers.
//
// tile[r][c] = sum over i of a[i][r] * b[i][c], for kRows rows and kVectors * kLanes columns. Both
// panels are packed: a as [depth][kPanel], of which the first kRows are used, b as [depth][kPitch *
// kLanes], of which the first kVectors * kLanes are. The tile may have more rows and columns, which
// stay as they are: an array of two dimensions, from which compilers know how far the loops over it
// reach. An element is summed in the order of i. A tile of so few sums that each would wait for
// itself has kSteps of them for an element: point i of the depth goes into number i % kSteps,
// points that are left at the end into the first one, and the others are added to that.
#ifndef BURIN_RT_CONTRACTION_H
#define BURIN_RT_CONTRACTION_H

#include "read_ahead.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// sums[r] += a[r] * b: one point of the depth.
template <size_t kRows, size_t kVectors, int kLanes>
BURIN_RT_INLINE void add_step(const float* a, const float* b,
                              FloatVector<kLanes> (&sums)[kRows][kVectors]) {
  FloatVector<kLanes> row[kVectors];
#pragma GCC unroll 8
  for (size_t v = 0; v < kVectors; ++v) row[v] = load<kLanes>(b + v * kLanes);
#pragma GCC unroll 32
  for (size_t r = 0; r < kRows; ++r) {
    const FloatVector<kLanes> factor = broadcast<kLanes>(a[r]);
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) sums[r][v] = madd(factor, row[v], sums[r][v]);
  }
}

template <int kRows, int kVectors, int kLanes, int kSteps, int kPanel, int kPitch, int kWidth>
BURIN_RT_APART void multiply_rows(const float* __restrict a, const float* __restrict b,
                                  int64_t depth, float* __restrict tile) {
  static_assert(1 <= kSteps && kSteps <= 16, "loops over steps are written out");
  FloatVector<kLanes> sums[size_t{kSteps}][size_t{kRows}][size_t{kVectors}];
#pragma GCC unroll 16
  for (int s = 0; s < kSteps; ++s) {
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[s][r][v] = broadcast<kLanes>(0.0f);
    }
  }
  const ptrdiff_t points = static_cast<ptrdiff_t>(depth);
  ptrdiff_t i = 0;
  for (; i + kSteps <= points; i += kSteps) {
#pragma GCC unroll 16
    for (int s = 0; s < kSteps; ++s) {
      add_step(a, b, sums[s]);
      a += kPanel;
      b += kPitch * kLanes;
    }
  }
  for (; i < points; ++i) {
    add_step(a, b, sums[0]);
    a += kPanel;
    b += kPitch * kLanes;
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      FloatVector<kLanes> sum = sums[0][r][v];
#pragma GCC unroll 16
      for (int s = 1; s < kSteps; ++s) sum = sum + sums[s][r][v];
      store(tile + r * kWidth + v * kLanes, sum);
    }
  }
}

template <int kRows, int kVectors, int kLanes, int kSteps = 1, int kPanel = kRows,
          int kPitch = kVectors, size_t kHeight, size_t kWidth>
BURIN_RT_INLINE void multiply_tile(const float* a, const float* b, int64_t depth,
                                   float (&tile)[kHeight][kWidth]) {
  static_assert(kRows <= kHeight && kVectors * kLanes <= kWidth, "beyond the tile");
  multiply_rows<kRows, kVectors, kLanes, kSteps, kPanel, kPitch, kWidth>(a, b, depth, tile[0]);
}

// The same for few columns and kBlocks blocks of rows, one after the other. Only `blocks` of them
// are there; the last one stands for those beyond the end.
template <int kRows, int kBlocks, int kVectors, int kLanes, int kPitch, size_t kHeight,
          size_t kWidth>
BURIN_RT_APART void multiply_blocks(const float* __restrict a, const float* __restrict b,
                                    int64_t blocks, int64_t depth,
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
    b += kPitch * kLanes;
  }
#pragma GCC unroll 32
  for (int r = 0; r < kBlocks * kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) store(tile[r] + v * kLanes, sums[r][v]);
  }
}

// multiply_tile where the tile's rows lie one after the other in an array of a caller's.
template <int kRows, int kVectors, int kLanes>
BURIN_RT_INLINE void multiply_tile(const float* a, const float* b, int64_t depth, float* tile) {
  multiply_rows<kRows, kVectors, kLanes, 1, kRows, kVectors, kVectors * kLanes>(a, b, depth, tile);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_CONTRACTION_H
