// The microkernel of contractions: one tile of a matrix product, held in registers.
//
// tile[r][c] = sum over i of a[i][r] * b[i][c], for kRows rows and kVectors * kLanes columns. Both
// panels are packed: a as [depth][kPanel], of which the first kRows are used, b as [depth][kPitch *
// kLanes], of which the first kVectors * kLanes are. The tile may have more rows and columns, which
// stay as they are: an array of two dimensions, from which compilers know how far the loops over it
// reach. The order of summation is that of i, for every tile shape, so the result of an element
// does not depend on how the product was cut.
#ifndef BURIN_RT_CONTRACTION_H
#define BURIN_RT_CONTRACTION_H

#include "read_ahead.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <int kRows, int kVectors, int kLanes, int kPanel, int kPitch, int kWidth>
BURIN_RT_APART void multiply_rows(const float* __restrict a, const float* __restrict b,
                                  int64_t depth, float* __restrict tile) {
  FloatVector<kLanes> sums[size_t{kRows}][size_t{kVectors}];
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[r][v] = broadcast<kLanes>(0.0f);
  }
  for (int64_t i = 0; i < depth; ++i) {
    FloatVector<kLanes> row[size_t{kVectors}];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = load<kLanes>(b + v * kLanes);
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) {
      const FloatVector<kLanes> factor = broadcast<kLanes>(a[r]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] = madd(factor, row[v], sums[r][v]);
    }
    a += kPanel;
    b += kPitch * kLanes;
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) store(tile + r * kWidth + v * kLanes, sums[r][v]);
  }
}

template <int kRows, int kVectors, int kLanes, int kPanel = kRows, int kPitch = kVectors,
          size_t kHeight, size_t kWidth>
BURIN_RT_INLINE void multiply_tile(const float* a, const float* b, int64_t depth,
                                   float (&tile)[kHeight][kWidth]) {
  static_assert(kRows <= kHeight && kVectors * kLanes <= kWidth, "beyond the tile");
  multiply_rows<kRows, kVectors, kLanes, kPanel, kPitch, kWidth>(a, b, depth, tile[0]);
}

// The same for few rows over kPanels panels of b side by side: one panel would give fewer sums than
// the pipes can have in flight. Only `panels` of them are there; the last one stands for those
// beyond the end.
template <int kRows, int kPanels, int kVectors, int kLanes, int kPanel, size_t kHeight,
          size_t kWidth>
BURIN_RT_APART void multiply_panels(const float* __restrict a, const float* __restrict b,
                                    int64_t panels, int64_t depth,
                                    float (&__restrict tile)[kHeight][kWidth]) {
  static_assert(kRows <= kHeight && kPanels * kVectors * kLanes <= kWidth, "beyond the tile");
  FloatVector<kLanes> sums[size_t{kRows}][size_t{kPanels * kVectors}];
  const float* panel[size_t{kPanels}];
#pragma GCC unroll 8
  for (int p = 0; p < kPanels; ++p)
    panel[p] = b + (p < panels ? p : panels - 1) * depth * (kVectors * kLanes);
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 32
    for (int v = 0; v < kPanels * kVectors; ++v) sums[r][v] = broadcast<kLanes>(0.0f);
  }
  for (int64_t i = 0; i < depth; ++i) {
    FloatVector<kLanes> factor[size_t{kRows}];
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) factor[r] = broadcast<kLanes>(a[r]);
#pragma GCC unroll 32
    for (int v = 0; v < kPanels * kVectors; ++v) {
      const FloatVector<kLanes> row =
          load<kLanes>(panel[v / kVectors] + v % kVectors * kLanes + i * (kVectors * kLanes));
#pragma GCC unroll 32
      for (int r = 0; r < kRows; ++r) sums[r][v] = madd(factor[r], row, sums[r][v]);
    }
    a += kPanel;
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 32
    for (int v = 0; v < kPanels * kVectors; ++v) store(tile[r] + v * kLanes, sums[r][v]);
  }
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
  for (int64_t i = 0; i < depth; ++i) {
    FloatVector<kLanes> row[size_t{kVectors}];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = load<kLanes>(b + v * kLanes);
#pragma GCC unroll 32
    for (int r = 0; r < kBlocks * kRows; ++r) {
      const FloatVector<kLanes> factor = broadcast<kLanes>(block[r / kRows][i * kRows + r % kRows]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] = madd(factor, row[v], sums[r][v]);
    }
    read_ahead<kBlocks * kRows>(a, kBlocks * kRows * (depth + i));
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
  multiply_rows<kRows, kVectors, kLanes, kRows, kVectors, kVectors * kLanes>(a, b, depth, tile);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_CONTRACTION_H
