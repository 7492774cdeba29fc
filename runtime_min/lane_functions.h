// SPDX-License-Identifier: MIT-0
// Functions of whole vectors of floats: in every lane the bits that the scalar namesake gives
// (exp.h, hyperbolic.h, erf.h), whose text they share; and a choice between two vectors.
#ifndef BURIN_RT_LANE_FUNCTIONS_H
#define BURIN_RT_LANE_FUNCTIONS_H

#include "erf.h"
#include "hyperbolic.h"
#include "lanes.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <int kLanes>
BURIN_RT_INLINE typename detail::Unsigned<kLanes>::Type to_bits(
    const FloatVector<kLanes, true>& v) {
  typename detail::Unsigned<kLanes>::Type bits;
  __builtin_memcpy(&bits, &v.lanes, sizeof bits);
  return bits;
}
template <int kLanes>
struct FloatOf<FloatVector<kLanes, true>> {
  using Vector = FloatVector<kLanes, true>;
  using Bits = typename detail::Unsigned<kLanes>::Type;
  static BURIN_RT_INLINE_MEMBER Vector number(float x) { return broadcast<kLanes>(x); }
  static BURIN_RT_INLINE_MEMBER Vector bits(const Bits& x) {
    Vector v;
    __builtin_memcpy(&v.lanes, &x, sizeof v.lanes);
    return v;
  }
  static BURIN_RT_INLINE_MEMBER Bits half(const Bits& x) {
    return (Bits)((typename IntVector<kLanes>::Lanes)x >> 1);
  }
};

template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> copysign(const FloatVector<kLanes, true>& magnitude,
                                                   const FloatVector<kLanes, true>& sign) {
  return FloatOf<FloatVector<kLanes, true>>::bits((to_bits(magnitude) & 0x7fffffffu) |
                                                  (to_bits(sign) & 0x80000000u));
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> product(const FloatVector<kLanes, true>& a,
                                                  const FloatVector<kLanes, true>& b) {
#if BURIN_RT_FMA32
  return madd(a, b, FloatVector<kLanes, true>(broadcast<kLanes>(0.0f)));
#else
  return a * b;
#endif
}

// a < b ? x : y, and the same of other comparisons.
#define BURIN_RT_SELECT(name, comparison)                                            \
  template <int kLanes>                                                              \
  BURIN_RT_INLINE FloatVector<kLanes, true> name(                                    \
      const FloatVector<kLanes, true>& a, const FloatVector<kLanes, true>& b,        \
      const FloatVector<kLanes, true>& x, const FloatVector<kLanes, true>& y) {      \
    return {a.lanes comparison b.lanes ? x.lanes : y.lanes};                         \
  }                                                                                  \
  template <int kLanes>                                                              \
  BURIN_RT_INLINE FloatVector<kLanes, false> name(                                   \
      const FloatVector<kLanes, false>& a, const FloatVector<kLanes, false>& b,      \
      const FloatVector<kLanes, false>& x, const FloatVector<kLanes, false>& y) {    \
    return {name(a.low, b.low, x.low, y.low), name(a.high, b.high, x.high, y.high)}; \
  }
BURIN_RT_SELECT(select_less, <)
BURIN_RT_SELECT(select_less_equal, <=)
BURIN_RT_SELECT(select_greater, >)
BURIN_RT_SELECT(select_greater_equal, >=)
BURIN_RT_SELECT(select_equal, ==)
#undef BURIN_RT_SELECT

#define BURIN_RT_FUNCTION(name, of)                                                      \
  template <int kLanes>                                                                  \
  BURIN_RT_INLINE FloatVector<kLanes, true> name(const FloatVector<kLanes, true>& v) {   \
    return detail::of(v);                                                                \
  }                                                                                      \
  template <int kLanes>                                                                  \
  BURIN_RT_INLINE FloatVector<kLanes, false> name(const FloatVector<kLanes, false>& v) { \
    return {name(v.low), name(v.high)};                                                  \
  }
BURIN_RT_FUNCTION(exp, exp_of)
BURIN_RT_FUNCTION(tanh, tanh_of)
BURIN_RT_FUNCTION(erf, erf_of)
#undef BURIN_RT_FUNCTION

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_LANE_FUNCTIONS_H
