// SPDX-License-Identifier: MIT-0
// The k largest or smallest elements along an axis, best first; equal elements by lower index
// first.
//
// reads      0: X, T[outer, axis, inner]
// writes     0: values, T[outer, k, inner], or null; 1: indices, int64[outer, k, inner], or null
// arguments  0: outer, 1: axis, 2: inner, 3: k, 4: largest (1) or smallest (0)
// results    none
// scratch    8*k bytes
// Refuses k < 0 and k > axis. NaN is the largest of all. A heap of the k best so far: O(axis * log
// k) per line.
#ifndef BURIN_RT_PROCEDURES_TOP_K_H
#define BURIN_RT_PROCEDURES_TOP_K_H

#include "../tree.h"
#include "call.h"
#include "order.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t top_k_scratch_bytes(const int64_t* arguments) {
  return arguments[3] > 0 ? 8 * arguments[3] : 0;
}

namespace detail {

// The first k of the entries of all places, in order.
template <class Entry, class Before>
static inline void keep_first(int64_t* best, int64_t k, int64_t places, const Entry& entry,
                              const Before& before) {
  for (int64_t i = 0; i < k; ++i) best[i] = entry(i);
  make_heap(best, k, before);
  for (int64_t i = k; i < places; ++i) {
    const int64_t next = entry(i);
    if (!before(next, best[0])) continue;
    best[0] = next;
    sift_down(best, k, 0, before);
  }
  sort_heap(best, k, before);
}

// The places of the k first elements of a line, in order.
template <class T>
static inline void keep_places(int64_t* best, int64_t k, const T* line, int64_t axis, int64_t inner,
                               int sign) {
  if (kHasRank<T>) {  // known while compiling; C++14 has no other word for it
    if (axis <= kMostPlaces) {
      const uint32_t flipped = sign > 0 ? 0 : UINT32_C(0xffffffff);
      const auto entry = [=](int64_t i) { return ranked(rank_of(line[i * inner]) ^ flipped, i); };
      keep_first(best, k, axis, entry, RankedFirst{});
      for (int64_t i = 0; i < k; ++i) best[i] = place_of(best[i]);
      return;
    }
  }
  const auto before = [=](int64_t a, int64_t b) {
    const int order = sign * compare(line[a * inner], line[b * inner]);
    return order != 0 ? order > 0 : a < b;
  };
  keep_first(
      best, k, axis, [](int64_t i) { return i; }, before);
}

}  // namespace detail

template <class T>
static inline int32_t top_k(const ProcedureCall& call) {
  const int64_t outer = call.arguments[0];
  const int64_t axis = call.arguments[1];
  const int64_t inner = call.arguments[2];
  const int64_t k = call.arguments[3];
  const int sign = call.arguments[4] != 0 ? 1 : -1;
  if (!detail::sizes_are_sane(outer, axis, inner, sizeof(T) < 8 ? 8 : sizeof(T))) {
    return kInvalidArgument;
  }
  if (k < 0 || k > axis) return kInvalidArgument;
  if (outer * inner * k == 0) return kOk;
  const T* x = static_cast<const T*>(call.reads[0]);
  T* values = static_cast<T*>(call.writes[0]);
  int64_t* indices = static_cast<int64_t*>(call.writes[1]);
  int64_t* best = static_cast<int64_t*>(call.scratch);
  if (x == nullptr || best == nullptr) return kNullArgument;

  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t n = 0; n < inner; ++n) {
      const T* line = x + o * axis * inner + n;
      detail::keep_places(best, k, line, axis, inner, sign);
      for (int64_t i = 0; i < k; ++i) {
        const int64_t at = (o * k + i) * inner + n;
        if (values != nullptr) values[at] = line[best[i] * inner];
        if (indices != nullptr) indices[at] = best[i];
      }
    }
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_TOP_K_H
