// SPDX-License-Identifier: MIT-0
// Dot products of bytes into sums of 32 bits, lane by lane: c[j] + sum over q of a[q] * b[4j + q],
// q < 4; of words likewise, q < 2.
//
// Where the target has an instruction for it (VNNI, dotprod) it is written in assembly: GCC 12
// copies accumulators around the builtin of vpdpbusd, which costs half of its speed. HVX is written
// in builtins, because clang puts no assembly into a packet with anything else. Everywhere
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

// Four bytes as one lane; four of them for each lane.
BURIN_RT_INLINE int32_t group_of(const void* bytes) {
  int32_t all;
  __builtin_memcpy(&all, bytes, sizeof all);
  return all;
}
template <int kLanes>
BURIN_RT_INLINE typename IntVector<kLanes>::Lanes lanes_of(const void* bytes) {
  typename IntVector<kLanes>::Lanes lanes;
  __builtin_memcpy(&lanes, bytes, sizeof lanes);
  return lanes;
}

#if defined(__AVX512VNNI__)
// Unsigned bytes times signed ones, in the lanes of two registers.
BURIN_RT_INLINE IntVector<16>::Lanes dot_of_vnni(IntVector<16>::Lanes c, IntVector<16>::Lanes of_u8,
                                                 IntVector<16>::Lanes of_s8) {
  __asm__("vpdpbusd %2, %1, %0" : "+v"(c) : "v"(of_u8), "v"(of_s8));
  return c;
}
template <>
struct Dot<16, false, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> add(IntVector<16> c, const uint8_t* a,
                                                  const int8_t* b) {
    return {dot_of_vnni(c.lanes, IntVector<16>::Lanes{} + group_of(a), lanes_of<16>(b))};
  }
};
template <>
struct Dot<16, true, false> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> add(IntVector<16> c, const int8_t* a,
                                                  const uint8_t* b) {
    return {dot_of_vnni(c.lanes, lanes_of<16>(b), IntVector<16>::Lanes{} + group_of(a))};
  }
};
#endif
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
BURIN_RT_INLINE IntVector<8>::Lanes dot_of_vnni(IntVector<8>::Lanes c, IntVector<8>::Lanes of_u8,
                                                IntVector<8>::Lanes of_s8) {
  __asm__("vpdpbusd %2, %1, %0" : "+v"(c) : "v"(of_u8), "v"(of_s8));
  return c;
}
template <>
struct Dot<8, false, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> add(IntVector<8> c, const uint8_t* a,
                                                 const int8_t* b) {
    return {dot_of_vnni(c.lanes, IntVector<8>::Lanes{} + group_of(a), lanes_of<8>(b))};
  }
};
template <>
struct Dot<8, true, false> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> add(IntVector<8> c, const int8_t* a,
                                                 const uint8_t* b) {
    return {dot_of_vnni(c.lanes, lanes_of<8>(b), IntVector<8>::Lanes{} + group_of(a))};
  }
};
#endif

#if defined(__ARM_FEATURE_DOTPROD)
template <bool kSigned, class Byte>
BURIN_RT_INLINE IntVector<4> dot_of_arm(IntVector<4> c, const Byte* a, const Byte* b) {
  const IntVector<4>::Lanes group = IntVector<4>::Lanes{} + group_of(a), bytes = lanes_of<4>(b);
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

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
// A group is aligned as a whole (isa/README.md): one load.
BURIN_RT_INLINE int32_t aligned_group(const void* bytes) {
  int32_t all;
  __builtin_memcpy(&all, __builtin_assume_aligned(bytes, sizeof all), sizeof all);
  return all;
}
BURIN_RT_INLINE IntVector<32>::Lanes in_all_lanes(const void* bytes) {
  return __builtin_HEXAGON_V6_lvsplatw_128B(aligned_group(bytes));
}
template <>
struct Dot<32, true, false> {
  static BURIN_RT_INLINE_MEMBER IntVector<32> add(IntVector<32> c, const int8_t* a,
                                                  const uint8_t* b) {
    return {__builtin_HEXAGON_V6_vrmpybus_acc_128B(c.lanes, lanes_of<32>(b), aligned_group(a))};
  }
};
template <>
struct Dot<32, false, false> {
  static BURIN_RT_INLINE_MEMBER IntVector<32> add(IntVector<32> c, const uint8_t* a,
                                                  const uint8_t* b) {
    return {__builtin_HEXAGON_V6_vrmpyub_acc_128B(c.lanes, lanes_of<32>(b), aligned_group(a))};
  }
};
template <>
struct Dot<32, false, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<32> add(IntVector<32> c, const uint8_t* a,
                                                  const int8_t* b) {
    return {__builtin_HEXAGON_V6_vrmpybusv_acc_128B(c.lanes, in_all_lanes(a), lanes_of<32>(b))};
  }
};
template <>
struct Dot<32, true, true> {
  static BURIN_RT_INLINE_MEMBER IntVector<32> add(IntVector<32> c, const int8_t* a,
                                                  const int8_t* b) {
    return {__builtin_HEXAGON_V6_vrmpybv_acc_128B(c.lanes, in_all_lanes(a), lanes_of<32>(b))};
  }
};
#endif

// Two words as one lane; the sum of two products of words fits 32 bits but for one case, which
// wraps.
template <int kLanes>
struct WordDot {
  static BURIN_RT_INLINE_MEMBER IntVector<kLanes> add(IntVector<kLanes> c, const int16_t* a,
                                                      const int16_t* b) {
    for (int j = 0; j < kLanes; ++j) {
      uint32_t sum = static_cast<uint32_t>(c.lanes[j]);
      for (int q = 0; q < 2; ++q)
        sum += static_cast<uint32_t>(int32_t{a[q]} * int32_t{b[2 * j + q]});
      c.lanes[j] = static_cast<int32_t>(sum);
    }
    return c;
  }
};
#if defined(__AVX512VNNI__)
template <>
struct WordDot<16> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> add(IntVector<16> c, const int16_t* a,
                                                  const int16_t* b) {
    const IntVector<16>::Lanes group = IntVector<16>::Lanes{} + group_of(a),
                               words = lanes_of<16>(b);
    __asm__("vpdpwssd %2, %1, %0" : "+v"(c.lanes) : "v"(words), "v"(group));
    return c;
  }
};
#endif
#if defined(__AVX2__)
template <>
struct WordDot<8> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> add(IntVector<8> c, const int16_t* a,
                                                 const int16_t* b) {
    typedef int16_t Words __attribute__((vector_size(32)));
    const IntVector<8>::Lanes group = IntVector<8>::Lanes{} + group_of(a);
    return {c.lanes + __builtin_ia32_pmaddwd256(reinterpret_cast<Words>(lanes_of<8>(b)),
                                                reinterpret_cast<Words>(group))};
  }
};
#endif
#if defined(__SSE2__)
template <>
struct WordDot<4> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> add(IntVector<4> c, const int16_t* a,
                                                 const int16_t* b) {
    typedef int16_t Words __attribute__((vector_size(16)));
    const IntVector<4>::Lanes group = IntVector<4>::Lanes{} + group_of(a);
    return {c.lanes + __builtin_ia32_pmaddwd128(reinterpret_cast<Words>(lanes_of<4>(b)),
                                                reinterpret_cast<Words>(group))};
  }
};
#endif

}  // namespace detail

template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> dot_s16s16(IntVector<kLanes> c, const int16_t* a,
                                             const int16_t* b) {
  return detail::WordDot<kLanes>::add(c, a, b);
}
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> dot_s8u8(IntVector<kLanes> c, const int8_t* a, const uint8_t* b) {
  return detail::Dot<kLanes, true, false>::add(c, a, b);
}
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

// The lanes in memory, which is aligned as elements are.
template <int kLanes>
BURIN_RT_INLINE void store_lanes(int32_t* to, IntVector<kLanes> c) {
  __builtin_memcpy(to, &c.lanes, sizeof c.lanes);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_DOT_H
