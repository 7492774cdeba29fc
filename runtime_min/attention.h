// SPDX-License-Identifier: MIT-0
// The softmax of attention for a block of queries, one block of keys after another: a running
// maximum and sum per query, and the factor by which what was summed so far shrinks when the
// maximum grows.
//
// Scores are [keys][kColumns], a query to a column; sums are [elements][kColumns]. In a column
// whose scores so far are all -infinity, scores are taken relative to 0, so that its weights are 0.
// A NaN among the scores stays in maximum and total.
#ifndef BURIN_RT_ATTENTION_H
#define BURIN_RT_ATTENTION_H

#include "elementary.h"
#include "exp.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <int kColumns>
struct AttentionRows {
  float greatest[size_t{kColumns}];  // of the scores so far
  float total[size_t{kColumns}];     // of the weights so far, relative to `greatest`
  float rescale[size_t{kColumns}];   // of what was summed before the last block
};

template <int kColumns>
static inline void begin_rows(AttentionRows<kColumns>& rows, float* __restrict sums,
                              int64_t elements) {
  for (int64_t i = 0; i < elements * kColumns; ++i) sums[i] = 0.0f;
  for (int c = 0; c < kColumns; ++c) {
    rows.greatest[c] = -__builtin_inff();
    rows.total[c] = 0.0f;
  }
}

// Scores of the next keys become weights. The greatest is found vector by vector: a loop over 16
// columns is one that compilers unroll before they vectorise, and then they don't.
template <int kLanes, int kColumns>
static inline void weigh_block(float* __restrict scores, int64_t keys,
                               AttentionRows<kColumns>& rows) {
  constexpr int kVectors = kColumns / kLanes;
  static_assert(kVectors * kLanes == kColumns, "a column is a lane of a vector");
  FloatVector<kLanes> high[size_t{kVectors}];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) high[v] = load<kLanes>(rows.greatest + v * kLanes);
  for (int64_t k = 0; k < keys; ++k) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v)
      high[v] = greatest(high[v], load<kLanes>(scores + k * kColumns + v * kLanes));
  }
  float most[size_t{kColumns}], shift[size_t{kColumns}], total[size_t{kColumns}];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) store(most + v * kLanes, high[v]);
  for (int c = 0; c < kColumns; ++c) {
    shift[c] = most[c] == -__builtin_inff() ? 0.0f : most[c];
    rows.rescale[c] = exp(rows.greatest[c] - shift[c]);
    rows.greatest[c] = most[c];
    total[c] = 0.0f;
  }
  for (int64_t k = 0; k < keys; ++k) {
    float* const row = scores + k * kColumns;
    for (int c = 0; c < kColumns; ++c) {
      row[c] = exp(row[c] - shift[c]);
      total[c] += row[c];
    }
  }
  for (int c = 0; c < kColumns; ++c) rows.total[c] = rows.total[c] * rows.rescale[c] + total[c];
}

// sums = sums * rescale + tile, for kRows elements.
template <int kRows, int kColumns>
static inline void add_tile(float* __restrict sums, const float* __restrict tile,
                            const AttentionRows<kColumns>& rows) {
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c)
      sums[r * kColumns + c] = sums[r * kColumns + c] * rows.rescale[c] + tile[r * kColumns + c];
  }
}

// sums / total, NaN in columns that are masked everywhere (0 / 0).
template <int kColumns>
static inline void finish_rows(float* __restrict sums, int64_t elements,
                               const AttentionRows<kColumns>& rows) {
  for (int64_t e = 0; e < elements; ++e) {
    for (int c = 0; c < kColumns; ++c) sums[e * kColumns + c] /= rows.total[c];
  }
}

// gained = gained * rescale + the sum of weights, `keys` of them.
template <int kColumns>
static inline void add_gained(const float* __restrict weights, int64_t keys,
                              const AttentionRows<kColumns>& rows,
                              float (&gained)[size_t{kColumns}]) {
  for (int c = 0; c < kColumns; ++c) gained[c] *= rows.rescale[c];
  for (int64_t k = 0; k < keys; ++k) {
    for (int c = 0; c < kColumns; ++c) gained[c] += weights[k * kColumns + c];
  }
}

// sums * factors.
template <int kColumns>
static inline void scale_rows(float* __restrict sums, int64_t elements,
                              const float (&factors)[size_t{kColumns}]) {
  for (int64_t e = 0; e < elements; ++e) {
    for (int c = 0; c < kColumns; ++c) sums[e * kColumns + c] *= factors[c];
  }
}

// Columns that are masked everywhere keep their sums, which are those of weights of 0.
template <int kColumns>
static inline void keep_masked_rows(AttentionRows<kColumns>& rows) {
  for (int c = 0; c < kColumns; ++c)
    rows.total[c] = rows.greatest[c] == -__builtin_inff() ? 1.0f : rows.total[c];
}

// Columns whose weights are NaN get the sums of weights of 0; `values` are panels of
// [elements / kRows][keys][kRows].
template <int kRows, int kColumns>
static inline void clear_nan_rows(float* __restrict sums, int64_t elements,
                                  const float* __restrict values, int64_t keys,
                                  AttentionRows<kColumns>& rows) {
  for (int c = 0; c < kColumns; ++c) {
    if (rows.total[c] == rows.total[c]) continue;
    for (int64_t e = 0; e < elements; ++e) {
      const float* const value = values + e / kRows * kRows * keys + e % kRows;
      float sum = 0.0f;
      for (int64_t k = 0; k < keys; ++k) sum += 0.0f * value[k * kRows];
      sums[e * kColumns + c] = sum;
    }
    rows.total[c] = 1.0f;
  }
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_ATTENTION_H
