// SPDX-License-Identifier: MIT-0
// The first lanes of a vector, from and to memory of which no more may be touched: what is left of
// a row behind its whole vectors. Lanes that are not there are 0.
//
// AVX-512 has masks for it, written in assembly since compilers' builtins for them differ;
// everywhere else elements are copied one by one.
#ifndef BURIN_RT_FIRST_LANES_H
#define BURIN_RT_FIRST_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "lanes.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// Of elements of so many bytes.
template <int kLanes, int kBytes>
struct FirstLanes {
  template <class Element>
  static BURIN_RT_INLINE_MEMBER void load(Element* to, const Element* from, int64_t count) {
    for (int i = 0; i < kLanes; ++i) to[i] = i < count ? from[i] : Element(0);
  }
  template <class Element>
  static BURIN_RT_INLINE_MEMBER void store(Element* to, const Element* from, int64_t count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }
};

#if defined(__AVX512BW__) && defined(__AVX512VL__)
BURIN_RT_INLINE uint16_t first_of_16(int64_t count) {
  return static_cast<uint16_t>(count >= 16 ? 0xffffu : (1u << count) - 1u);
}
template <>
struct FirstLanes<16, 1> {
  typedef char Vector __attribute__((vector_size(16)));
  static BURIN_RT_INLINE_MEMBER void load(void* to, const void* from, int64_t count) {
    Vector v;
    __asm__ volatile("vmovdqu8 (%1), %0%{%2%}%{z%}"
                     : "=v"(v)
                     : "r"(from), "Yk"(first_of_16(count))
                     : "memory");
    __builtin_memcpy(to, &v, sizeof v);
  }
  static BURIN_RT_INLINE_MEMBER void store(void* to, const void* from, int64_t count) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    __asm__ volatile("vmovdqu8 %1, (%0)%{%2%}"
                     :
                     : "r"(to), "v"(v), "Yk"(first_of_16(count))
                     : "memory");
  }
};
template <>
struct FirstLanes<16, 4> {
  typedef int32_t Vector __attribute__((vector_size(64)));
  static BURIN_RT_INLINE_MEMBER void load(void* to, const void* from, int64_t count) {
    Vector v;
    __asm__ volatile("vmovdqu32 (%1), %0%{%2%}%{z%}"
                     : "=v"(v)
                     : "r"(from), "Yk"(first_of_16(count))
                     : "memory");
    __builtin_memcpy(to, &v, sizeof v);
  }
  static BURIN_RT_INLINE_MEMBER void store(void* to, const void* from, int64_t count) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    __asm__ volatile("vmovdqu32 %1, (%0)%{%2%}"
                     :
                     : "r"(to), "v"(v), "Yk"(first_of_16(count))
                     : "memory");
  }
};
#endif

template <int kLanes, class Element>
struct OfFirst {
  typedef FirstLanes<kLanes, static_cast<int>(sizeof(Element))> Move;
  Element all[size_t{kLanes}];
};

}  // namespace detail

template <int kLanes, class Element>
BURIN_RT_INLINE IntVector<kLanes> first_load_int(const Element* p, int64_t count) {
  detail::OfFirst<kLanes, Element> lanes;
  detail::OfFirst<kLanes, Element>::Move::load(lanes.all, p, count);
  return load_int<kLanes>(lanes.all);
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> first_load(const float* p, int64_t count) {
  detail::OfFirst<kLanes, float> lanes;
  detail::OfFirst<kLanes, float>::Move::load(lanes.all, p, count);
  return load<kLanes>(lanes.all);
}

template <class Element, int kLanes, bool kWhole>
BURIN_RT_INLINE void first_store_quantised(Element* to, int64_t count,
                                           const FloatVector<kLanes, kWhole>& v, int32_t zero) {
  detail::OfFirst<kLanes, Element> lanes;
  store_quantised(lanes.all, v, zero);
  detail::OfFirst<kLanes, Element>::Move::store(to, lanes.all, count);
}
template <class Element, int kLanes, bool kWhole>
BURIN_RT_INLINE void first_store_saturated(Element* to, int64_t count,
                                           const FloatVector<kLanes, kWhole>& v) {
  detail::OfFirst<kLanes, Element> lanes;
  store_saturated(lanes.all, v);
  detail::OfFirst<kLanes, Element>::Move::store(to, lanes.all, count);
}
template <int kLanes, bool kWhole>
BURIN_RT_INLINE void first_store(float* to, int64_t count, const FloatVector<kLanes, kWhole>& v) {
  detail::OfFirst<kLanes, float> lanes;
  store(lanes.all, v);
  detail::OfFirst<kLanes, float>::Move::store(to, lanes.all, count);
}
template <int kLanes>
BURIN_RT_INLINE void first_store_lanes(int32_t* to, int64_t count, const IntVector<kLanes>& v) {
  detail::OfFirst<kLanes, int32_t> lanes;
  store_lanes(lanes.all, v);
  detail::OfFirst<kLanes, int32_t>::Move::store(to, lanes.all, count);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FIRST_LANES_H
