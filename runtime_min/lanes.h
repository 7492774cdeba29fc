// SPDX-License-Identifier: MIT-0
// Arithmetic of whole vectors of floats and of 32-bit integers, lane by lane: what loops over lanes
// are spelled with where elements of several widths meet, which compilers take for the narrowest.
//
// Each operation gives in every lane what its scalar namesake gives (round.h, cast.h, elementary.h,
// integer.h), on every target.
#ifndef BURIN_RT_LANES_H
#define BURIN_RT_LANES_H

#include <stdint.h>

#include "cast.h"
#include "dot.h"
#include "elementary.h"
#include "fma.h"
#include "narrow_lanes.h"
#include "round.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// An operation on each element, where a vector is several registers or there are none.
template <int kLanes, class Operation>
BURIN_RT_INLINE FloatVector<kLanes, false> by_element(const FloatVector<kLanes, false>& v,
                                                      Operation operation) {
  float lanes[size_t{kLanes}];
  store(lanes, v);
  for (int i = 0; i < kLanes; ++i) lanes[i] = operation(lanes[i]);
  return load<kLanes>(lanes);
}

// The bits of floats, and back.
template <int kLanes>
BURIN_RT_INLINE typename IntVector<kLanes>::Lanes bits_of(const FloatVector<kLanes, true>& v) {
  typename IntVector<kLanes>::Lanes bits;
  __builtin_memcpy(&bits, &v.lanes, sizeof bits);
  return bits;
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> float_of(const typename IntVector<kLanes>::Lanes& bits) {
  FloatVector<kLanes, true> v;
  __builtin_memcpy(&v.lanes, &bits, sizeof bits);
  return v;
}

template <int kLanes>
struct Unsigned {
  typedef uint32_t Type __attribute__((vector_size(4u * unsigned{kLanes})));
};

}  // namespace detail

// --- 32-bit integers ---
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> broadcast_int(int32_t x) {
  return {typename IntVector<kLanes>::Lanes{} + x};
}
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> load_int(const int32_t* p) {
  return {detail::lanes_of<kLanes>(p)};
}
template <int kLanes, class Element>
BURIN_RT_INLINE IntVector<kLanes> load_int(const Element* p) {
  IntVector<kLanes> out;
  detail::load_narrow(out, p);
  return out;
}

// Sums, differences and products wrap.
#define BURIN_RT_INT_OPERATION(name, operation)                                                    \
  template <int kLanes>                                                                            \
  BURIN_RT_INLINE IntVector<kLanes> name(const IntVector<kLanes>& a, const IntVector<kLanes>& b) { \
    using Bits = typename detail::Unsigned<kLanes>::Type;                                          \
    return {(typename IntVector<kLanes>::Lanes)((Bits)a.lanes operation(Bits) b.lanes)};           \
  }
BURIN_RT_INT_OPERATION(add_wrap, +)
BURIN_RT_INT_OPERATION(subtract_wrap, -)
BURIN_RT_INT_OPERATION(multiply_wrap, *)
#undef BURIN_RT_INT_OPERATION

// --- Integers as floats, rounded to nearest ---
namespace detail {
template <int kLanes>
BURIN_RT_INLINE void convert(const IntVector<kLanes>& from, FloatVector<kLanes, true>& to) {
  to.lanes = __builtin_convertvector(from.lanes, typename Register<kLanes>::Type);
}
template <int kLanes>
BURIN_RT_INLINE void convert(const IntVector<kLanes>& from, FloatVector<kLanes, false>& to) {
  float lanes[size_t{kLanes}];
  for (int i = 0; i < kLanes; ++i) lanes[i] = static_cast<float>(from.lanes[i]);
  load_into(to, lanes);
}
}  // namespace detail
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> to_float(const IntVector<kLanes>& v) {
  FloatVector<kLanes> out;
  detail::convert(v, out);
  return out;
}

// --- Floats ---
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> negate(const FloatVector<kLanes, true>& v) {
  return {-v.lanes};
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, false> negate(const FloatVector<kLanes, false>& v) {
  return detail::by_element(v, [](float x) { return -x; });
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> abs(const FloatVector<kLanes, true>& v) {
  return detail::float_of<kLanes>(detail::bits_of(v) & 0x7fffffff);
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, false> abs(const FloatVector<kLanes, false>& v) {
  return detail::by_element(v, [](float x) { return absolute(x); });
}

namespace detail {
// Adding 2^23 leaves no bit below one, and rounds to nearest even; what is larger has none.
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> rounded(const FloatVector<kLanes, true>& v) {
  const FloatVector<kLanes, true> a = abs(v);
  const FloatVector<kLanes, true> whole = {(a.lanes + 8388608.0f) - 8388608.0f};
  const FloatVector<kLanes, true> kept = {a.lanes < 8388608.0f ? whole.lanes : a.lanes};
  return float_of<kLanes>(bits_of(kept) | (bits_of(v) & static_cast<int32_t>(0x80000000u)));
}
#if defined(__SSE4_1__)
BURIN_RT_INLINE FloatVector<4, true> rounded(const FloatVector<4, true>& v) {
  return {__builtin_ia32_roundps(v.lanes, 0)};
}
#endif
#if defined(__AVX__)
BURIN_RT_INLINE FloatVector<8, true> rounded(const FloatVector<8, true>& v) {
  return {__builtin_ia32_roundps256(v.lanes, 0)};
}
#endif
#if defined(__AVX512F__)
BURIN_RT_INLINE FloatVector<16, true> rounded(const FloatVector<16, true>& v) {
#if defined(__clang__)
  return {__builtin_ia32_rndscaleps_mask(v.lanes, 0, v.lanes, 0xffff, 4)};
#else
  return {__builtin_ia32_rndscaleps_mask(v.lanes, 0, v.lanes, -1, 4)};  // all lanes
#endif
}
#endif
}  // namespace detail
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> round_half_even(const FloatVector<kLanes, true>& v) {
  return detail::rounded(v);
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, false> round_half_even(const FloatVector<kLanes, false>& v) {
  return detail::by_element(v, [](float x) { return round_half_even(x); });
}

// a * b + c, rounded once.
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> multiply_add(const FloatVector<kLanes, true>& a,
                                                       const FloatVector<kLanes, true>& b,
                                                       const FloatVector<kLanes, true>& c) {
#if BURIN_RT_FMA32
  return detail::fused(a, b, c);
#else
  FloatVector<kLanes, true> out;
  for (int i = 0; i < kLanes; ++i) out.lanes[i] = multiply_add(a.lanes[i], b.lanes[i], c.lanes[i]);
  return out;
#endif
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, false> multiply_add(const FloatVector<kLanes, false>& a,
                                                        const FloatVector<kLanes, false>& b,
                                                        const FloatVector<kLanes, false>& c) {
  float first[size_t{kLanes}], second[size_t{kLanes}], third[size_t{kLanes}];
  store(first, a);
  store(second, b);
  store(third, c);
  for (int i = 0; i < kLanes; ++i) first[i] = multiply_add(first[i], second[i], third[i]);
  return load<kLanes>(first);
}

namespace detail {
// larger() and smaller() of vec.h, which GCC makes of a comparison and a copy.
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> one_of_larger(const FloatVector<kLanes, true>& a,
                                                        const FloatVector<kLanes, true>& b) {
  return larger(a, b);
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> one_of_smaller(const FloatVector<kLanes, true>& a,
                                                         const FloatVector<kLanes, true>& b) {
  return smaller(a, b);
}
#if defined(__AVX__) && !defined(__clang__)
BURIN_RT_INLINE FloatVector<8, true> one_of_larger(const FloatVector<8, true>& a,
                                                   const FloatVector<8, true>& b) {
  return {__builtin_ia32_maxps256(a.lanes, b.lanes)};
}
BURIN_RT_INLINE FloatVector<8, true> one_of_smaller(const FloatVector<8, true>& a,
                                                    const FloatVector<8, true>& b) {
  return {__builtin_ia32_minps256(a.lanes, b.lanes)};
}
#endif
#if defined(__AVX512F__) && !defined(__clang__)
BURIN_RT_INLINE FloatVector<16, true> one_of_larger(const FloatVector<16, true>& a,
                                                    const FloatVector<16, true>& b) {
  return {__builtin_ia32_maxps512_mask(a.lanes, b.lanes, a.lanes, -1, 4)};
}
BURIN_RT_INLINE FloatVector<16, true> one_of_smaller(const FloatVector<16, true>& a,
                                                     const FloatVector<16, true>& b) {
  return {__builtin_ia32_minps512_mask(a.lanes, b.lanes, a.lanes, -1, 4)};
}
#endif

// Truncated and limited to the range of an integer of 8 or 16 bits; NaN gives 0.
template <class Element, int kLanes>
BURIN_RT_INLINE typename IntVector<kLanes>::Lanes limited(const FloatVector<kLanes, true>& v) {
  static_assert(sizeof(Element) <= 2, "both ends of the range are exact in float");
  constexpr bool kSigned = static_cast<Element>(-1) < static_cast<Element>(0);
  constexpr int kBits = 8 * static_cast<int>(sizeof(Element)) - (kSigned ? 1 : 0);
  constexpr float kHigh = static_cast<float>((1 << kBits) - 1);
  constexpr float kLow = kSigned ? -static_cast<float>(1 << kBits) : 0.0f;
  // Of NaN the larger one is the lower end, which is 0 of unsigned integers.
  const FloatVector<kLanes, true> inside =
      one_of_smaller(broadcast<kLanes>(kHigh),
                     one_of_larger(v, FloatVector<kLanes, true>(broadcast<kLanes>(kLow))));
  if (!kSigned) return __builtin_convertvector(inside.lanes, typename IntVector<kLanes>::Lanes);
  const FloatVector<kLanes, true> number = {v.lanes == v.lanes ? inside.lanes
                                                               : broadcast<kLanes>(0.0f).lanes};
  return __builtin_convertvector(number.lanes, typename IntVector<kLanes>::Lanes);
}
}  // namespace detail
template <class Element, int kLanes>
BURIN_RT_INLINE IntVector<kLanes> saturated(const FloatVector<kLanes, true>& v) {
  return {detail::limited<Element, kLanes>(v)};
}
template <class Element, int kLanes>
BURIN_RT_INLINE IntVector<kLanes> saturated(const FloatVector<kLanes, false>& v) {
  float from[size_t{kLanes}];
  int32_t lanes[size_t{kLanes}];
  store(from, v);
  for (int i = 0; i < kLanes; ++i) lanes[i] = to_integer_saturate<Element>(from[i]);
  return load_int<kLanes>(lanes);
}

namespace detail {
// The nearest integers, of halves the even ones; of numbers that fit.
template <int kLanes>
BURIN_RT_INLINE typename IntVector<kLanes>::Lanes nearest(const FloatVector<kLanes, true>& v) {
  return __builtin_convertvector(rounded(v).lanes, typename IntVector<kLanes>::Lanes);
}
#if defined(__SSE2__)
BURIN_RT_INLINE IntVector<4>::Lanes nearest(const FloatVector<4, true>& v) {
  return (IntVector<4>::Lanes)__builtin_ia32_cvtps2dq(v.lanes);
}
#endif
#if defined(__AVX__)
BURIN_RT_INLINE IntVector<8>::Lanes nearest(const FloatVector<8, true>& v) {
  return (IntVector<8>::Lanes)__builtin_ia32_cvtps2dq256(v.lanes);
}
#endif
#if defined(__AVX512F__)
BURIN_RT_INLINE IntVector<16>::Lanes nearest(const FloatVector<16, true>& v) {
  typedef int Words __attribute__((vector_size(64)));
#if defined(__clang__)
  return (IntVector<16>::Lanes)__builtin_ia32_cvtps2dq512_mask(v.lanes, Words{}, 0xffff, 4);
#else
  return (IntVector<16>::Lanes)__builtin_ia32_cvtps2dq512_mask(v.lanes, Words{}, -1, 4);
#endif
}
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
BURIN_RT_INLINE IntVector<4>::Lanes nearest(const FloatVector<4, true>& v) {
  IntVector<4>::Lanes out;
  __asm__("fcvtns %0.4s, %1.4s" : "=w"(out) : "w"(v.lanes));
  return out;
}
#endif

// Limited before it is rounded: what the zero is added to then stays in the range.
template <class Element, int kLanes>
BURIN_RT_INLINE typename IntVector<kLanes>::Lanes quantised_lanes(
    const FloatVector<kLanes, true>& v, int32_t zero) {
  static_assert(sizeof(Element) == 1, "sums with a zero are exact in float");
  constexpr bool kSigned = static_cast<Element>(-1) < static_cast<Element>(0);
  constexpr int32_t kLow = kSigned ? -128 : 0;
  const FloatVector<kLanes, true> inside = one_of_smaller(
      broadcast<kLanes>(static_cast<float>(kLow + 255 - zero)),
      one_of_larger(v,
                    FloatVector<kLanes, true>(broadcast<kLanes>(static_cast<float>(kLow - zero)))));
  const typename IntVector<kLanes>::Lanes byte = nearest(inside) + zero;
  // Of NaN the larger one is the lower end, which is 0 of unsigned bytes.
  return kSigned ? (v.lanes == v.lanes ? byte : typename IntVector<kLanes>::Lanes{}) : byte;
}
}  // namespace detail
// saturated(round_half_even(v) + zero), of a byte and a byte's zero.
template <class Element, int kLanes>
BURIN_RT_INLINE IntVector<kLanes> quantised(const FloatVector<kLanes, true>& v, int32_t zero) {
  return {detail::quantised_lanes<Element, kLanes>(v, zero)};
}
template <class Element, int kLanes>
BURIN_RT_INLINE IntVector<kLanes> quantised(const FloatVector<kLanes, false>& v, int32_t zero) {
  float from[size_t{kLanes}];
  int32_t lanes[size_t{kLanes}];
  store(from, v);
  for (int i = 0; i < kLanes; ++i)
    lanes[i] = to_integer_saturate<Element>(round_half_even(from[i]) + static_cast<float>(zero));
  return load_int<kLanes>(lanes);
}
template <class Element, int kLanes>
BURIN_RT_INLINE void store_quantised(Element* to, const FloatVector<kLanes, true>& v,
                                     int32_t zero) {
  detail::store_narrow(to, IntVector<kLanes>{detail::quantised_lanes<Element, kLanes>(v, zero)});
}
template <class Element, int kLanes>
BURIN_RT_INLINE void store_quantised(Element* to, const FloatVector<kLanes, false>& v,
                                     int32_t zero) {
  const IntVector<kLanes> lanes = quantised<Element, kLanes>(v, zero);
  for (int i = 0; i < kLanes; ++i) to[i] = static_cast<Element>(lanes.lanes[i]);
}

template <class Element, int kLanes>
BURIN_RT_INLINE void store_saturated(Element* to, const FloatVector<kLanes, true>& v) {
  detail::store_narrow(to, IntVector<kLanes>{detail::limited<Element, kLanes>(v)});
}
template <class Element, int kLanes>
BURIN_RT_INLINE void store_saturated(Element* to, const FloatVector<kLanes, false>& v) {
  float from[size_t{kLanes}];
  store(from, v);
  for (int i = 0; i < kLanes; ++i) to[i] = to_integer_saturate<Element>(from[i]);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_LANES_H
