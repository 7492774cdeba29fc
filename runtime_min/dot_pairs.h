// SPDX-License-Identifier: MIT-0
// Two dot products with one vector: c0[j] + sum over q of a[q] * b[4j + q], q < 4, and c1 likewise
// with a[4 + q]. The vector is aligned so.
//
// `vrmpy` with a pair of scalar registers does both (HVX of v65 and later). Its builtin is there
// where clang is told so by the name of the first machine that had it (-Xclang -target-feature
// -Xclang +hvxv65); elsewhere two products of one group each have the same value.
#ifndef BURIN_RT_DOT_PAIRS_H
#define BURIN_RT_DOT_PAIRS_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

// Macros of a compiler may not know each other.
#if defined(__HVX_LENGTH__) && defined(__has_builtin)
#if __HVX_LENGTH__ == 128 && __has_builtin(__builtin_HEXAGON_V6_vrmpyub_rtt_acc_128B)
#define BURIN_RT_HAS_PAIRS
#endif
#endif

namespace burin_rt {
inline namespace BURIN_RT_TREE {

#ifdef BURIN_RT_HAS_PAIRS
namespace detail {

typedef int32_t PairOfVectors __attribute__((vector_size(256)));

// Two groups, aligned as a whole.
BURIN_RT_INLINE int64_t aligned_groups(const void* bytes) {
  int64_t both;
  __builtin_memcpy(&both, __builtin_assume_aligned(bytes, sizeof both), sizeof both);
  return both;
}
template <int kAlignment>
BURIN_RT_INLINE IntVector<32>::Lanes aligned_lanes(const void* bytes) {
  return lanes_of<32>(__builtin_assume_aligned(bytes, kAlignment));
}
BURIN_RT_INLINE PairOfVectors pair_of(const IntVector<32>& c0, const IntVector<32>& c1) {
  return __builtin_HEXAGON_V6_vcombine_128B(c1.lanes, c0.lanes);
}
BURIN_RT_INLINE void take_apart(const PairOfVectors& pair, IntVector<32>& c0, IntVector<32>& c1) {
  c0.lanes = __builtin_HEXAGON_V6_lo_128B(pair);
  c1.lanes = __builtin_HEXAGON_V6_hi_128B(pair);
}

}  // namespace detail
#endif

template <int kAlignment>
BURIN_RT_INLINE void dot_u8u8_pair(IntVector<32>& c0, IntVector<32>& c1, const uint8_t* a,
                                   const uint8_t* b) {
#ifdef BURIN_RT_HAS_PAIRS
  detail::take_apart(
      __builtin_HEXAGON_V6_vrmpyub_rtt_acc_128B(
          detail::pair_of(c0, c1), detail::aligned_lanes<kAlignment>(b), detail::aligned_groups(a)),
      c0, c1);
#else
  c0 = dot_u8u8<32>(c0, a, b);
  c1 = dot_u8u8<32>(c1, a + 4, b);
#endif
}
template <int kAlignment>
BURIN_RT_INLINE void dot_u8s8_pair(IntVector<32>& c0, IntVector<32>& c1, const uint8_t* a,
                                   const int8_t* b) {
#ifdef BURIN_RT_HAS_PAIRS
  detail::take_apart(
      __builtin_HEXAGON_V6_vrmpybub_rtt_acc_128B(
          detail::pair_of(c0, c1), detail::aligned_lanes<kAlignment>(b), detail::aligned_groups(a)),
      c0, c1);
#else
  c0 = dot_u8s8<32>(c0, a, b);
  c1 = dot_u8s8<32>(c1, a + 4, b);
#endif
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#undef BURIN_RT_HAS_PAIRS

#endif  // BURIN_RT_DOT_PAIRS_H
