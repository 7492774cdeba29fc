// SPDX-License-Identifier: MIT-0
// Attention of few queries: rows of keys and of values are read where they lie, one after another.
//
// For a query alone nothing is packed: its scores are dot products with rows of keys along the
// lanes, its result a weighted sum of rows of values.
#ifndef BURIN_RT_ATTENTION_ROWS_H
#define BURIN_RT_ATTENTION_ROWS_H

#include "elementary.h"
#include "exp.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// What becomes of weights that are no numbers.
enum class EmptyRow {
  nan,             // they are NaN
  zero_if_masked,  // 0 where all scores are -infinity
  zero_if_nan,     // 0
};

namespace detail {

template <int kRows, int kLanes>
BURIN_RT_INLINE void score_group(const float* __restrict query, const float* __restrict keys,
                                 int64_t pitch, int64_t depth, float* __restrict scores) {
  FloatVector<kLanes> sums[size_t{kRows}];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) sums[r] = broadcast<kLanes>(0.0f);
  int64_t i = 0;
  for (; i + kLanes <= depth; i += kLanes) {
    const FloatVector<kLanes> factor = load<kLanes>(query + i);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
      sums[r] = madd(factor, load<kLanes>(keys + r * pitch + i), sums[r]);
  }
  if (i < depth) {
    const FloatVector<kLanes> factor = load_first<kLanes>(query + i, depth - i);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
      sums[r] = madd(factor, load_first<kLanes>(keys + r * pitch + i, depth - i), sums[r]);
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) scores[r] = sum_lanes(sums[r]);
}

template <int kVectors, int kLanes>
BURIN_RT_INLINE void add_group(const float* __restrict weights, const float* __restrict values,
                               int64_t pitch, int64_t keys, float* __restrict sums) {
  FloatVector<kLanes> group[size_t{kVectors}];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) group[v] = load<kLanes>(sums + v * kLanes);
  for (int64_t k = 0; k < keys; ++k) {
    const FloatVector<kLanes> weight = broadcast<kLanes>(weights[k]);
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v)
      group[v] = madd(weight, load<kLanes>(values + k * pitch + v * kLanes), group[v]);
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) store(sums + v * kLanes, group[v]);
}

// Fewer than 2 * kRows keys, in groups of kRows, a half of it, and so on.
template <int kRows, int kLanes>
struct ScoreRest {
  static void run(const float* query, const float* keys, int64_t pitch, int64_t count,
                  int64_t depth, float* scores) {
    if (count >= kRows) {
      score_group<kRows, kLanes>(query, keys, pitch, depth, scores);
      keys += kRows * pitch;
      scores += kRows;
      count -= kRows;
    }
    ScoreRest<kRows / 2, kLanes>::run(query, keys, pitch, count, depth, scores);
  }
};
template <int kLanes>
struct ScoreRest<0, kLanes> {
  static void run(const float*, const float*, int64_t, int64_t, int64_t, float*) {}
};

}  // namespace detail

// scores[k] = sum over d of query[d] * keys[k * pitch + d]; kRows keys at a time, a power of two.
template <int kRows, int kLanes>
BURIN_RT_APART void score_rows(const float* __restrict query, const float* __restrict keys,
                               int64_t pitch, int64_t count, int64_t depth,
                               float* __restrict scores) {
  static_assert((kRows & (kRows - 1)) == 0, "no power of two");
  int64_t k = 0;
  for (; k + kRows <= count; k += kRows)
    detail::score_group<kRows, kLanes>(query, keys + k * pitch, pitch, depth, scores + k);
  detail::ScoreRest<kRows / 2, kLanes>::run(query, keys + k * pitch, pitch, count - k, depth,
                                            scores + k);
}

struct RowExponents {
  float greatest, total;  // of the scores, and of their exponents
};

template <int kLanes>
static inline float total_of_row(const float* __restrict row, int64_t count) {
  const int64_t whole = count / kLanes * kLanes;
  FloatVector<kLanes> sums = broadcast<kLanes>(0.0f);
  for (int64_t k = 0; k < whole; k += kLanes) sums = sums + load<kLanes>(row + k);
  float total = sum_lanes(sums);
  for (int64_t k = whole; k < count; ++k) total += row[k];
  return total;
}

// Scores become exp(score - greatest); where all are -infinity, 0. The last ones, less than a
// vector, are computed as a whole one: one by one they would take as long as many vectors.
template <int kLanes>
static inline RowExponents exponents_of_row(float* __restrict row, int64_t count) {
  const float none = -__builtin_inff();
  const int64_t whole = count / kLanes * kLanes;
  float last[size_t{kLanes}], lanes[size_t{kLanes}];
  for (int c = 0; c < kLanes; ++c) last[c] = none;
  for (int64_t k = whole; k < count; ++k) last[k - whole] = row[k];
  FloatVector<kLanes> high = load<kLanes>(last);
  for (int64_t k = 0; k < whole; k += kLanes) high = greatest(high, load<kLanes>(row + k));
  store(lanes, high);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int c = 0; c < half; ++c) lanes[c] = maximum(lanes[c], lanes[c + half]);
  }
  const float shift = lanes[0] == none ? 0.0f : lanes[0];
  for (int64_t k = 0; k < whole; ++k) row[k] = exp(row[k] - shift);
  for (int c = 0; c < kLanes; ++c) last[c] = exp(last[c] - shift);
  for (int64_t k = whole; k < count; ++k) row[k] = last[k - whole];
  FloatVector<kLanes> sums = load<kLanes>(last);
  for (int64_t k = 0; k < whole; k += kLanes) sums = sums + load<kLanes>(row + k);
  return {lanes[0], sum_lanes(sums)};
}

static inline void scale_row(float* __restrict row, int64_t count, float factor) {
  for (int64_t k = 0; k < count; ++k) row[k] *= factor;
}

// Scores become weights: exp(score - greatest) / total.
template <int kLanes>
static inline void weigh_row(float* __restrict row, int64_t count, EmptyRow empty) {
  const RowExponents rows = exponents_of_row<kLanes>(row, count);
  const bool masked = rows.greatest == -__builtin_inff() && empty != EmptyRow::nan;
  if (masked || (rows.total != rows.total && empty == EmptyRow::zero_if_nan)) {
    for (int64_t k = 0; k < count; ++k) row[k] = 0.0f;
  } else {
    for (int64_t k = 0; k < count; ++k) row[k] /= rows.total;
  }
}

// sums[e] += sum over k of weights[k] * values[k * pitch + e]; kVectors vectors of elements at a
// time.
template <int kVectors, int kLanes>
BURIN_RT_APART void add_rows(const float* __restrict weights, const float* __restrict values,
                             int64_t pitch, int64_t count, int64_t elements,
                             float* __restrict sums) {
  constexpr int64_t kGroup = int64_t{kVectors} * kLanes;
  const int64_t groups = elements / kGroup * kGroup, whole = elements / kLanes * kLanes;
  for (int64_t e = 0; e < groups; e += kGroup)
    detail::add_group<kVectors, kLanes>(weights, values + e, pitch, count, sums + e);
  for (int64_t e = groups; e < whole; e += kLanes)
    detail::add_group<1, kLanes>(weights, values + e, pitch, count, sums + e);
  if (whole == elements) return;
  for (int64_t k = 0; k < count; ++k) {
    for (int64_t i = whole; i < elements; ++i)
      sums[i] = madd(weights[k], values[k * pitch + i], sums[i]);
  }
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_ATTENTION_ROWS_H
