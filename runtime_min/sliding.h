// SPDX-License-Identifier: MIT-0
// Dot products whose groups overlap: c[j] + sum over q of a[q] * b[kStride * j + q], q < 4, so that
// the taps of a window beside each other are one group. Of words q < 2.
//
// Groups are made of whole vectors of neighbours by permutations that compilers know; as many
// elements of b are read as isa/ says, which may be more than groups need.
#ifndef BURIN_RT_SLIDING_H
#define BURIN_RT_SLIDING_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define BURIN_RT_SHUFFLES 1
#endif

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// Four bytes from each place, in the lane of their first one.
template <int kLanes, int kStride>
struct SlidingBytes {
  static BURIN_RT_INLINE_MEMBER IntVector<kLanes> groups(const void* bytes) {
    IntVector<kLanes> out;
    for (int j = 0; j < kLanes; ++j)
      out.lanes[j] = group_of(static_cast<const unsigned char*>(bytes) + kStride * j);
    return out;
  }
};
// Two words likewise.
template <int kLanes, int kStride>
struct SlidingWords : SlidingBytes<kLanes, 2 * kStride> {};

#if defined(BURIN_RT_SHUFFLES)
typedef uint8_t Bytes16 __attribute__((vector_size(16)));
BURIN_RT_INLINE Bytes16 bytes_from(const void* p) {
  Bytes16 out;
  __builtin_memcpy(&out, p, sizeof out);
  return out;
}
template <class Vector, int kLanes>
BURIN_RT_INLINE IntVector<kLanes> as_groups(const Vector& v) {
  IntVector<kLanes> out;
  static_assert(sizeof out == sizeof v, "the same bits");
  __builtin_memcpy(&out, &v, sizeof out);
  return out;
}

// Every word as the low half of a lane, and the next one as the high half.
template <int kLanes>
struct WordVector {
  typedef uint16_t Type __attribute__((vector_size(2u * unsigned{kLanes})));
};
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> word_pairs(const int16_t* words) {
  typename WordVector<kLanes>::Type first, second;
  __builtin_memcpy(&first, words, sizeof first);
  __builtin_memcpy(&second, words + 1, sizeof second);
  typedef typename IntVector<kLanes>::Lanes Lanes;
  return {__builtin_convertvector(first, Lanes) | (__builtin_convertvector(second, Lanes) << 16)};
}

#if defined(__SSE2__) || defined(__ARM_NEON)
template <>
struct SlidingWords<4, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> groups(const int16_t* words) {
    return word_pairs<4>(words);
  }
};
template <>
struct SlidingWords<4, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> groups(const int16_t* words) {
    return {lanes_of<4>(words)};
  }
};
#endif
#if defined(__AVX2__)
template <>
struct SlidingWords<8, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> groups(const int16_t* words) {
    return {lanes_of<8>(words)};
  }
};
#endif

#if defined(__SSSE3__) || defined(__ARM_NEON)
template <>
struct SlidingBytes<4, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> groups(const void* bytes) {
    const Bytes16 all = bytes_from(bytes);
    return as_groups<Bytes16, 4>(
        __builtin_shufflevector(all, all, 0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6));
  }
};
template <>
struct SlidingBytes<4, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<4> groups(const void* bytes) {
    const Bytes16 all = bytes_from(bytes);
    return as_groups<Bytes16, 4>(
        __builtin_shufflevector(all, all, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8, 9));
  }
};
#endif
#if defined(__AVX2__)
typedef uint8_t Bytes32 __attribute__((vector_size(32)));
BURIN_RT_INLINE Bytes32 bytes_from(const void* low, const void* high) {
  return __builtin_shufflevector(bytes_from(low), bytes_from(high), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                 27, 28, 29, 30, 31);
}
// Lanes of the upper half begin at word 4, which is the fourth of those from word 1 on.
template <>
struct SlidingWords<8, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> groups(const int16_t* words) {
    const Bytes32 all = bytes_from(words, words + 1);
    return as_groups<Bytes32, 8>(__builtin_shufflevector(all, all, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6,
                                                         7, 6, 7, 8, 9, 22, 23, 24, 25, 24, 25, 26,
                                                         27, 26, 27, 28, 29, 28, 29, 30, 31));
  }
};
template <>
struct SlidingBytes<8, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> groups(const void* bytes) {
    const Bytes32 all = bytes_from(bytes, bytes);
    return as_groups<Bytes32, 8>(__builtin_shufflevector(all, all, 0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4,
                                                         5, 3, 4, 5, 6, 20, 21, 22, 23, 21, 22, 23,
                                                         24, 22, 23, 24, 25, 23, 24, 25, 26));
  }
};
template <>
struct SlidingBytes<8, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<8> groups(const void* bytes) {
    const Bytes32 all = bytes_from(bytes, static_cast<const unsigned char*>(bytes) + 8);
    return as_groups<Bytes32, 8>(__builtin_shufflevector(all, all, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6,
                                                         7, 6, 7, 8, 9, 16, 17, 18, 19, 18, 19, 20,
                                                         21, 20, 21, 22, 23, 22, 23, 24, 25));
  }
};
#endif
#if defined(__AVX512BW__)
template <>
struct SlidingBytes<16, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> groups(const void* bytes) {
    typedef uint8_t Bytes64 __attribute__((vector_size(64)));
    const IntVector<8>::Lanes all = lanes_of<8>(bytes);
    // A quarter of the lanes has 16 bytes of its own, then each its four of them.
    const IntVector<16>::Lanes quarters =
        __builtin_shufflevector(all, all, 0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6);
    Bytes64 own;
    __builtin_memcpy(&own, &quarters, sizeof own);
    return as_groups<Bytes64, 16>(__builtin_shufflevector(
        own, own, 0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 16, 17, 18, 19, 17, 18, 19, 20,
        18, 19, 20, 21, 19, 20, 21, 22, 32, 33, 34, 35, 33, 34, 35, 36, 34, 35, 36, 37, 35, 36, 37,
        38, 48, 49, 50, 51, 49, 50, 51, 52, 50, 51, 52, 53, 51, 52, 53, 54));
  }
};
template <>
struct SlidingWords<16, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> groups(const int16_t* words) {
    return word_pairs<16>(words);
  }
};
template <>
struct SlidingWords<16, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> groups(const int16_t* words) {
    return {lanes_of<16>(words)};
  }
};
template <>
struct SlidingBytes<16, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<16> groups(const void* bytes) {
    typedef uint16_t Words32 __attribute__((vector_size(64)));
    Words32 all;
    __builtin_memcpy(&all, bytes, sizeof all);
    return as_groups<Words32, 16>(__builtin_shufflevector(all, all, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
                                                          6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11,
                                                          12, 12, 13, 13, 14, 14, 15, 15, 16));
  }
};
#endif
#endif  // BURIN_RT_SHUFFLES

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
// Elements of b between those of a, which are `bytes` wide; of the first halves.
template <int kBytes>
BURIN_RT_INLINE IntVector<32>::Lanes interleaved(IntVector<32>::Lanes a, IntVector<32>::Lanes b) {
  return __builtin_HEXAGON_V6_lo_128B(__builtin_HEXAGON_V6_vshuffvdd_128B(b, a, -kBytes));
}
template <>
struct SlidingBytes<32, 1> {
  static BURIN_RT_INLINE_MEMBER IntVector<32> groups(const void* bytes) {
    const IntVector<32>::Lanes all = lanes_of<32>(bytes),
                               pairs = interleaved<1>(all, __builtin_HEXAGON_V6_vror_128B(all, 1));
    return {interleaved<2>(pairs, __builtin_HEXAGON_V6_vror_128B(pairs, 4))};
  }
};
template <>
struct SlidingBytes<32, 2> {
  static BURIN_RT_INLINE_MEMBER IntVector<32> groups(const void* bytes) {
    const IntVector<32>::Lanes all = lanes_of<32>(bytes);
    return {interleaved<2>(all, __builtin_HEXAGON_V6_vror_128B(all, 2))};
  }
};
#endif

}  // namespace detail

// Dots of dot.h over such groups.
#define BURIN_RT_SLIDING_DOT(name, Groups, A, B)                                                  \
  template <int kLanes, int kStride>                                                              \
  BURIN_RT_INLINE IntVector<kLanes> name##_sliding(IntVector<kLanes> c, const A* a, const B* b) { \
    const IntVector<kLanes> groups = detail::Groups<kLanes, kStride>::groups(b);                  \
    B elements[sizeof groups / sizeof(B)];                                                        \
    __builtin_memcpy(elements, &groups, sizeof groups);                                           \
    return name(c, a, elements);                                                                  \
  }
BURIN_RT_SLIDING_DOT(dot_s16s16, SlidingWords, int16_t, int16_t)
BURIN_RT_SLIDING_DOT(dot_s8u8, SlidingBytes, int8_t, uint8_t)
BURIN_RT_SLIDING_DOT(dot_u8s8, SlidingBytes, uint8_t, int8_t)
BURIN_RT_SLIDING_DOT(dot_s8s8, SlidingBytes, int8_t, int8_t)
BURIN_RT_SLIDING_DOT(dot_u8u8, SlidingBytes, uint8_t, uint8_t)
#undef BURIN_RT_SLIDING_DOT

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_SLIDING_H
