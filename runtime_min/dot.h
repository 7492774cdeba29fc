// SPDX-License-Identifier: MIT-0
// Dot products of bytes into sums of 32 bits, lane by lane: c[j] + sum over q of a[q] * b[4j + q],
// q < 4.
//
// Where the target has an instruction for it (VNNI, dotprod) it is written in assembly: GCC 12
// copies accumulators around the builtin of vpdpbusd, which costs half of its speed. Everywhere
// else it is plain arithmetic of the same value: products are exact, sums wrap.
#ifndef BURIN_RT_DOT_H
#define BURIN_RT_DOT_H

#include <stdint.h>

#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <int kLanes>
struct IntVector {
  typedef int32_t Lanes __attribute__((vector_size(4u * unsigned{kLanes})));
  Lanes lanes;
};

namespace detail {

// The instruction for these lanes and signs, where there is one.
template <int kLanes, bool kSignedA, bool kSignedB>
struct Dot {
  template <class A, class B>
  static BURIN_RT_INLINE_MEMBER IntVector<kLanes> add(IntVector<kLanes> c, const A* a, const B* b) {
    for (int j = 0; j < kLanes; ++j) {
      uint32_t sum = static_cast<uint32_t>(c.lanes[j]);
      for (int q = 0; q < 4; ++q)
        sum += static_cast<uint32_t>(int32_t{a[q]} * int32_t{b[4 * j + q]});
      c.lanes[j] = static_cast<int32_t>(sum);
    }
    return c;
  }
};

// Four bytes as one lane.
BURIN_RT_INLINE int32_t group_of(const void* bytes) {
  int32_t all;
  __builtin_memcpy(&all, bytes, sizeof all);
  return all;
}

#if defined(__AVX512VNNI__)
template <>
struct Dot<16, false, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> add(IntVector<16> c, const uint8_t* a,
                                                  const int8_t* b) {
    typedef int8_t Bytes __attribute__((vector_size(64), aligned(1), may_alias));
    const IntVector<16>::Lanes group = IntVector<16>::Lanes{} + group_of(a);
    const Bytes* const from = reinterpret_cast<const Bytes*>(b);
    __asm__("vpdpbusd %2, %1, %0" : "+v"(c.lanes) : "v"(group), "m"(*from));
    return c;
  }
};
#endif
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
template <>
struct Dot<8, false, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> add(IntVector<8> c, const uint8_t* a,
                                                 const int8_t* b) {
    typedef int8_t Bytes __attribute__((vector_size(32), aligned(1), may_alias));
    const IntVector<8>::Lanes group = IntVector<8>::Lanes{} + group_of(a);
    const Bytes* const from = reinterpret_cast<const Bytes*>(b);
    __asm__("vpdpbusd %2, %1, %0" : "+v"(c.lanes) : "v"(group), "m"(*from));
    return c;
  }
};
#endif

#if defined(__ARM_FEATURE_DOTPROD)
template <bool kSigned, class Byte>
BURIN_RT_INLINE IntVector<4> dot_of_arm(IntVector<4> c, const Byte* a, const Byte* b) {
  const IntVector<4>::Lanes group = IntVector<4>::Lanes{} + group_of(a);
  IntVector<4>::Lanes bytes;
  __builtin_memcpy(&bytes, b, sizeof bytes);
  if (kSigned) {
    __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(c.lanes) : "w"(bytes), "w"(group));
  } else {
    __asm__("udot %0.4s, %1.16b, %2.16b" : "+w"(c.lanes) : "w"(bytes), "w"(group));
  }
  return c;
}
template <>
struct Dot<4, true, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> add(IntVector<4> c, const int8_t* a, const int8_t* b) {
    return dot_of_arm<true>(c, a, b);
  }
};
template <>
struct Dot<4, false, false> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> add(IntVector<4> c, const uint8_t* a,
                                                 const uint8_t* b) {
    return dot_of_arm<false>(c, a, b);
  }
};
#endif

}  // namespace detail

template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> dot_u8s8(IntVector<kLanes> c, const uint8_t* a, const int8_t* b) {
  return detail::Dot<kLanes, false, true>::add(c, a, b);
}
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> dot_s8s8(IntVector<kLanes> c, const int8_t* a, const int8_t* b) {
  return detail::Dot<kLanes, true, true>::add(c, a, b);
}
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> dot_u8u8(IntVector<kLanes> c, const uint8_t* a,
                                           const uint8_t* b) {
  return detail::Dot<kLanes, false, false>::add(c, a, b);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_DOT_H
