// SPDX-License-Identifier: MIT-0
// Dot products of neighbouring bytes whose groups overlap, 128 sums in four vectors.
//
// Of stride 1 lane j of vector v is column 4 j + v, of stride 2 column 64 (v / 2) + 2 j + v % 2; to
// each is added sum over q < 4 of a[q] * b[stride * column + q]. 128 * stride + 4 bytes are read.
#ifndef BURIN_RT_SLIDING_FOURS_H
#define BURIN_RT_SLIDING_FOURS_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
typedef int32_t FoursPair __attribute__((vector_size(256)));
// Bytes from a place, and from four bytes further.
BURIN_RT_INLINE FoursPair fours_pair(const uint8_t* b) {
  return __builtin_HEXAGON_V6_vcombine_128B(lanes_of<32>(b + 4), lanes_of<32>(b));
}
// Groups that begin at bytes 4 j and 4 j + 2, or at 4 j + 1 and 4 j + 3.
BURIN_RT_INLINE FoursPair fours_even(FoursPair c, FoursPair b, const int8_t* a) {
  return __builtin_HEXAGON_V6_vrmpybusi_acc_128B(c, b, aligned_group(a), 0);
}
BURIN_RT_INLINE FoursPair fours_odd(FoursPair c, FoursPair b, const int8_t* a) {
  return __builtin_HEXAGON_V6_vrmpybusi_acc_128B(c, b, aligned_group(a), 1);
}
BURIN_RT_INLINE FoursPair fours_even(FoursPair c, FoursPair b, const uint8_t* a) {
  return __builtin_HEXAGON_V6_vrmpyubi_acc_128B(c, b, aligned_group(a), 0);
}
BURIN_RT_INLINE FoursPair fours_odd(FoursPair c, FoursPair b, const uint8_t* a) {
  return __builtin_HEXAGON_V6_vrmpyubi_acc_128B(c, b, aligned_group(a), 1);
}
typedef IntVector<32>::Lanes FoursLanes;
template <int kStride>
struct Fours {
  template <class A>
  static BURIN_RT_INLINE_MEMBER void add(FoursLanes& c0, FoursLanes& c1, FoursLanes& c2,
                                         FoursLanes& c3, const A* a, const uint8_t* b) {
    const FoursPair bytes = fours_pair(b);
    const FoursPair even = fours_even(__builtin_HEXAGON_V6_vcombine_128B(c2, c0), bytes, a),
                    odd = fours_odd(__builtin_HEXAGON_V6_vcombine_128B(c3, c1), bytes, a);
    c0 = __builtin_HEXAGON_V6_lo_128B(even);
    c2 = __builtin_HEXAGON_V6_hi_128B(even);
    c1 = __builtin_HEXAGON_V6_lo_128B(odd);
    c3 = __builtin_HEXAGON_V6_hi_128B(odd);
  }
};
template <>
struct Fours<2> {
  template <class A>
  static BURIN_RT_INLINE_MEMBER void add(FoursLanes& c0, FoursLanes& c1, FoursLanes& c2,
                                         FoursLanes& c3, const A* a, const uint8_t* b) {
    const FoursPair first =
                        fours_even(__builtin_HEXAGON_V6_vcombine_128B(c1, c0), fours_pair(b), a),
                    second = fours_even(__builtin_HEXAGON_V6_vcombine_128B(c3, c2),
                                        fours_pair(b + 128), a);
    c0 = __builtin_HEXAGON_V6_lo_128B(first);
    c1 = __builtin_HEXAGON_V6_hi_128B(first);
    c2 = __builtin_HEXAGON_V6_lo_128B(second);
    c3 = __builtin_HEXAGON_V6_hi_128B(second);
  }
};
#else
typedef IntVector<32>::Lanes FoursLanes;
template <int kStride>
struct Fours {
  template <class A>
  static BURIN_RT_INLINE_MEMBER void add(FoursLanes& c0, FoursLanes& c1, FoursLanes& c2,
                                         FoursLanes& c3, const A* a, const uint8_t* b) {
    FoursLanes* const all[] = {&c0, &c1, &c2, &c3};
    for (int v = 0; v < 4; ++v) {
      for (int j = 0; j < 32; ++j) {
        const int column = kStride == 1 ? 4 * j + v : 64 * (v / 2) + 2 * j + v % 2;
        uint32_t sum = static_cast<uint32_t>((*all[v])[j]);
        for (int q = 0; q < 4; ++q)
          sum += static_cast<uint32_t>(int32_t{a[q]} * int32_t{b[kStride * column + q]});
        (*all[v])[j] = static_cast<int32_t>(sum);
      }
    }
  }
};
#endif

}  // namespace detail

template <int kStride>
BURIN_RT_INLINE void dot_s8u8_fours(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                    IntVector<32>& c3, const int8_t* a, const uint8_t* b) {
  detail::Fours<kStride>::add(c0.lanes, c1.lanes, c2.lanes, c3.lanes, a, b);
}
template <int kStride>
BURIN_RT_INLINE void dot_u8u8_fours(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                    IntVector<32>& c3, const uint8_t* a, const uint8_t* b) {
  detail::Fours<kStride>::add(c0.lanes, c1.lanes, c2.lanes, c3.lanes, a, b);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_SLIDING_FOURS_H
