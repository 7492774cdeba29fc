// SPDX-License-Identifier: MIT-0
// Vectors of 32-bit integers from and to memory of narrower elements: bytes and words.
#ifndef BURIN_RT_NARROW_LANES_H
#define BURIN_RT_NARROW_LANES_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <class Element, int kLanes>
struct Narrow {
  typedef Element Type __attribute__((vector_size(sizeof(Element) * unsigned{kLanes})));
};

// Elements as lanes.
template <int kLanes, class Element>
BURIN_RT_INLINE void load_narrow(IntVector<kLanes>& to, const Element* p) {
#ifdef __clang__
  typename Narrow<Element, kLanes>::Type narrow;
  __builtin_memcpy(&narrow, p, sizeof narrow);
  to.lanes = __builtin_convertvector(narrow, typename IntVector<kLanes>::Lanes);
#else
  // Of a vector of bytes g++ converts each by itself; of elements it makes one instruction.
#pragma GCC unroll 64
  for (int lane = 0; lane < kLanes; ++lane) to.lanes[lane] = p[lane];
#endif
}
// But not of four bytes with signs.
#if defined(__SSE4_1__) && !defined(__clang__)
BURIN_RT_INLINE void load_narrow(IntVector<4>& to, const int8_t* p) {
  typedef char Bytes __attribute__((vector_size(16)));
  int32_t four = 0;
  __builtin_memcpy(&four, p, 4);
  const IntVector<4>::Lanes low = {four};
  to.lanes = __builtin_ia32_pmovsxbd128((Bytes)low);
}
#endif

// Lanes that fit narrower elements, as these.
template <class Element, int kLanes>
BURIN_RT_INLINE void store_narrow(Element* to, const IntVector<kLanes>& v) {
  const typename Narrow<Element, kLanes>::Type narrow =
      __builtin_convertvector(v.lanes, typename Narrow<Element, kLanes>::Type);
  __builtin_memcpy(to, &narrow, sizeof narrow);
}
// g++ converts each lane by itself, but for what AVX-512 has an instruction for.
#if defined(__SSE2__) && !defined(__clang__)
typedef int16_t PackedWords __attribute__((vector_size(16)));
typedef char PackedBytes __attribute__((vector_size(16)));
BURIN_RT_INLINE PackedBytes packed(const int8_t*, PackedWords words) {
  return __builtin_ia32_packsswb128(words, words);
}
BURIN_RT_INLINE PackedBytes packed(const uint8_t*, PackedWords words) {
  return __builtin_ia32_packuswb128(words, words);
}
template <class Byte>
BURIN_RT_INLINE void store_packed(Byte* to, const IntVector<4>& v) {
  const PackedBytes bytes = packed(to, __builtin_ia32_packssdw128(v.lanes, v.lanes));
  __builtin_memcpy(to, &bytes, 4);
}
BURIN_RT_INLINE void store_narrow(int8_t* to, const IntVector<4>& v) { store_packed(to, v); }
BURIN_RT_INLINE void store_narrow(uint8_t* to, const IntVector<4>& v) { store_packed(to, v); }
#if defined(__AVX2__)
template <class Byte>
BURIN_RT_INLINE void store_packed(Byte* to, const IntVector<8>& v) {
  typedef long long Pairs __attribute__((vector_size(32)));
  const IntVector<4>::Lanes low = (IntVector<4>::Lanes)__builtin_ia32_extract128i256((Pairs)v.lanes,
                                                                                     0),
                            high = (IntVector<4>::Lanes)__builtin_ia32_extract128i256(
                                (Pairs)v.lanes, 1);
  const PackedBytes bytes = packed(to, __builtin_ia32_packssdw128(low, high));
  __builtin_memcpy(to, &bytes, 8);
}
BURIN_RT_INLINE void store_narrow(int8_t* to, const IntVector<8>& v) { store_packed(to, v); }
BURIN_RT_INLINE void store_narrow(uint8_t* to, const IntVector<8>& v) { store_packed(to, v); }
#endif
#endif

}  // namespace detail
}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_NARROW_LANES_H
