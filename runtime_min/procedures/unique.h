// SPDX-License-Identifier: MIT-0
// The distinct slices along an axis, with their first places, their counts, and where each slice
// went.
//
// reads      0: X, T[outer, axis, inner]; all elements as one list: outer = inner = 1
// writes     0: Y, T[outer, count, inner]; 1: first index of each, int64[count]; 2: for each slice
// its number in Y,
//            int64[axis]; 3: how often each occurs, int64[count]. Any may be null. Room for
//            `capacity` in place of count.
// arguments  0: capacity, 1: outer, 2: axis, 3: inner, 4: sorted (1) or in order of first
// occurrence (0) results    0: count scratch    24*axis bytes Slices compare element by element,
// outer index first. NaN equals NaN and comes last; of -0 and +0 the first that occurs is kept.
// O(axis * log(axis) * outer * inner).
#ifndef BURIN_RT_PROCEDURES_UNIQUE_H
#define BURIN_RT_PROCEDURES_UNIQUE_H

#include "../tree.h"
#include "call.h"
#include "order.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t unique_scratch_bytes(const int64_t* arguments) {
  return arguments[2] > 0 ? 24 * arguments[2] : 0;
}

namespace detail {

template <class T>
static inline int compare_slices(const T* x, int64_t outer, int64_t axis, int64_t inner, int64_t a,
                                 int64_t b) {
  for (int64_t o = 0; o < outer; ++o) {
    const T* left = x + (o * axis + a) * inner;
    const T* right = x + (o * axis + b) * inner;
    for (int64_t n = 0; n < inner; ++n) {
      const int order = compare(left[n], right[n]);
      if (order != 0) return order;
    }
  }
  return 0;
}

}  // namespace detail

template <class T>
static inline int32_t unique(const ProcedureCall& call) {
  const int64_t capacity = call.arguments[0];
  const int64_t outer = call.arguments[1];
  const int64_t axis = call.arguments[2];
  const int64_t inner = call.arguments[3];
  const bool sorted = call.arguments[4] != 0;
  call.results[0] = 0;
  if (capacity < 0 || !detail::sizes_are_sane(outer, axis, inner, sizeof(T) < 8 ? 8 : sizeof(T)) ||
      !detail::sizes_are_sane(axis, 1, 1, 24)) {
    return kInvalidArgument;
  }
  if (axis == 0) return kOk;
  const T* x = static_cast<const T*>(call.reads[0]);
  int64_t* order = static_cast<int64_t*>(call.scratch);
  if ((x == nullptr && outer * inner != 0) || order == nullptr) return kNullArgument;
  int64_t* group = order + axis;  // of each slice
  int64_t* first = group + axis;  // of each group

  for (int64_t i = 0; i < axis; ++i) order[i] = i;
  sort_indices(order, axis, [=](int64_t a, int64_t b) {
    const int by_value = detail::compare_slices(x, outer, axis, inner, a, b);
    return by_value != 0 ? by_value < 0 : a < b;
  });
  int64_t count = 0;
  for (int64_t i = 0; i < axis; ++i) {
    const bool opens =
        i == 0 || detail::compare_slices(x, outer, axis, inner, order[i - 1], order[i]) != 0;
    if (opens) first[count++] = order[i];
    group[order[i]] = count - 1;
  }
  if (count > capacity) return kCapacityExceeded;
  call.results[0] = count;

  if (!sorted) {  // number the groups again, by first occurrence; order is free now
    int64_t next = 0;
    for (int64_t i = 0; i < axis; ++i) {
      if (first[group[i]] == i) order[group[i]] = next++;
    }
    for (int64_t i = 0; i < axis; ++i) group[i] = order[group[i]];
    for (int64_t i = axis; i-- > 0;) first[group[i]] = i;
  }

  T* y = static_cast<T*>(call.writes[0]);
  int64_t* first_out = static_cast<int64_t*>(call.writes[1]);
  int64_t* inverse_out = static_cast<int64_t*>(call.writes[2]);
  int64_t* counts_out = static_cast<int64_t*>(call.writes[3]);
  if (y != nullptr) {
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t g = 0; g < count; ++g) {
        detail::copy_bytes(y + (o * count + g) * inner, x + (o * axis + first[g]) * inner,
                           inner * static_cast<int64_t>(sizeof(T)));
      }
    }
  }
  if (first_out != nullptr) detail::copy_bytes(first_out, first, 8 * count);
  if (inverse_out != nullptr) detail::copy_bytes(inverse_out, group, 8 * axis);
  if (counts_out != nullptr) {
    for (int64_t g = 0; g < count; ++g) counts_out[g] = 0;
    for (int64_t i = 0; i < axis; ++i) ++counts_out[group[i]];
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_UNIQUE_H
