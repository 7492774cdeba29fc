// SPDX-License-Identifier: MIT-0
// Exponentials: exp, exp2, expm1 for float and double. Branch-free.
//
// x = k*ln2 + r with k integral and |r| <= ln2/2. Adding 1.5*2^23 (float) or 1.5*2^52 (double) to
// x/ln2 rounds it to k and leaves k in the low bits of the sum. ln2 is split into a short head,
// whose product with k is exact even without a fused multiply, and a tail. A minimax polynomial
// gives e^r; 2^k is applied in two halves, so that overflow and gradual underflow come out by
// themselves.
//
// Largest error (ULP): float exp 0.9, expm1 1.5, exp2 0.9; double exp 0.9, expm1 2.5, exp2 1.
#ifndef BURIN_RT_EXP_H
#define BURIN_RT_EXP_H

#include "fma.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// What is a template is for floats, and for vectors of them (lane_functions.h).
//
// x * 2^n where n is a two's complement number, |n| <= 252.
template <class F, class Bits>
BURIN_RT_INLINE F scale(F x, Bits n) {
  const Bits half = FloatOf<F>::half(n);
  return (x * FloatOf<F>::bits((half + 127u) << 23)) * FloatOf<F>::bits((n - half + 127u) << 23);
}
// The same for |n| <= 2044; halves by a logical shift, because AVX2 has no arithmetic one for 64
// bits.
static inline double scale(double x, uint64_t n) {
  const uint64_t half = ((n + 4096u) >> 1) - 2048u;
  return (x * f64_from_bits((half + 1023u) << 52)) * f64_from_bits((n - half + 1023u) << 52);
}

// Nearest integers to a number below 2^21 (float) or 2^50 (double) in magnitude: as a value and as
// bits.
template <class F, class Bits>
struct Nearest32 {
  F value;
  Bits bits;
};
struct Nearest64 {
  double value;
  uint64_t bits;
};
template <class F>
BURIN_RT_INLINE auto nearest_multiple(F x, float per_unit) -> Nearest32<F, decltype(to_bits(x))> {
  const F shift = FloatOf<F>::number(12582912.0f);
  const F shifted = madd(x, FloatOf<F>::number(per_unit), shift);
  return {shifted - shift, to_bits(shifted) - 0x4b400000u};
}
static inline Nearest64 nearest_multiple(double x, double per_unit) {
  const double shifted = madd(x, per_unit, 6755399441055744.0);
  return {shifted - 6755399441055744.0, to_bits(shifted) - 0x4338000000000000u};
}

// x - k*ln2.
template <class F>
BURIN_RT_INLINE F reduce_ln2(F x, F k) {
  return madd(k, FloatOf<F>::number(2.12194440e-4f), madd(k, FloatOf<F>::number(-0.693359375f), x));
}
static inline double reduce_ln2(double x, double k) {
  return madd(k, -1.90821492927058770002e-10, madd(k, -6.93147180369123816490e-01, x));
}

// e^r for |r| <= ln2/2, relative error below 2^-28 (float), 2^-57 (double).
template <class F>
BURIN_RT_INLINE F exp_polynomial(F r) {
  F q = FloatOf<F>::number(0.0013823552f);
  q = madd(q, r, FloatOf<F>::number(0.008368824f));
  q = madd(q, r, FloatOf<F>::number(0.041668236f));
  q = madd(q, r, FloatOf<F>::number(0.1666652f));
  q = madd(q, r, FloatOf<F>::number(0.49999994f));
  const F one = FloatOf<F>::number(1.0f), head = one + r;
  return head + madd(r * r, q, r - (head - one));  // with what 1 + r lost
}
static inline double exp_polynomial(double r) {
  double q = 2.4977809858478247e-8;
  q = madd(q, r, 2.7625311267140311e-7);
  q = madd(q, r, 2.7557643472756956e-6);
  q = madd(q, r, 2.4801508394604005e-5);
  q = madd(q, r, 1.9841269462481776e-4);
  q = madd(q, r, 1.388888892700424e-3);
  q = madd(q, r, 0.00833333333350208);
  q = madd(q, r, 4.1666666666603498e-2);
  q = madd(q, r, 0.1666666666666643);
  q = madd(q, r, 0.5);
  const double head = 1.0 + r;
  return head + madd(r * r, q, r - (head - 1.0));
}

// e^r - 1 for |r| <= ln2/2.
static inline float expm1_polynomial(float r) {
  float q = 0.00019743411f;
  q = madd(q, r, 0.0013933708f);
  q = madd(q, r, 0.008333567f);
  q = madd(q, r, 0.041666478f);
  q = madd(q, r, 0.16666666f);
  q = madd(q, r, 0.5f);
  return madd(r * r, q, r);
}
static inline double expm1_polynomial(double r) {
  double q = 2.0883308542051656e-9;
  q = madd(q, r, 2.5109197269803979e-8);
  q = madd(q, r, 2.7557373409292213e-7);
  q = madd(q, r, 2.7557243746152515e-6);
  q = madd(q, r, 2.4801587213185725e-5);
  q = madd(q, r, 1.9841269886596214e-4);
  q = madd(q, r, 0.0013888888888935903);
  q = madd(q, r, 8.3333333333214365e-3);
  q = madd(q, r, 4.1666666666666588e-2);
  q = madd(q, r, 0.16666666666666677);
  q = madd(q, r, 0.5);
  return madd(r * r, q, r);
}

// e^x for -104 <= x <= 89 or NaN.
template <class F>
BURIN_RT_INLINE F exp_in_range(F x) {
  const auto k = nearest_multiple(x, 1.44269504f);
  return scale(exp_polynomial(reduce_ln2(x, k.value)), k.bits);
}

// e^x - 1 for -18 <= x <= 89 or NaN, accurate in the relative sense down to 2^-126.
// With u = 2^(k-1): 2 * (u*(e^r - 1) + (u - 1/2)), where u*(...) is exact.
static inline float expm1_in_range(float x) {
  const auto k = nearest_multiple(x, 1.44269504f);
  const float u = f32_from_bits((k.bits + 126u) << 23);
  const float y = madd(u, expm1_polynomial(reduce_ln2(x, k.value)), u - 0.5f);
  return y + y;
}
static inline double expm1_in_range(double x) {
  const Nearest64 k = nearest_multiple(x, 1.4426950408889634);
  const double u = f64_from_bits((k.bits + 1022u) << 52);
  const double y = madd(u, expm1_polynomial(reduce_ln2(x, k.value)), u - 0.5);
  return y + y;
}

}  // namespace detail

namespace detail {
template <class F>
BURIN_RT_INLINE F exp_of(F x) {
  return exp_in_range(clamp(x, -104.0f, 89.0f));
}
}  // namespace detail
static inline float exp(float x) { return detail::exp_of(x); }
static inline double exp(double x) {
  const double c = clamp(x, -746.0, 710.0);
  const detail::Nearest64 k = detail::nearest_multiple(c, 1.4426950408889634);
  return detail::scale(detail::exp_polynomial(detail::reduce_ln2(c, k.value)), k.bits);
}

static inline float expm1(float x) {
  const float y = detail::expm1_in_range(clamp(x, -18.0f, 89.0f));
  return select(abs(x) < 2.98023224e-8f, x, copysign(y, x));  // 2^-25: x itself, with its sign
}
static inline double expm1(double x) {
  const double y = detail::expm1_in_range(clamp(x, -38.0, 710.0));
  return select(abs(x) < 5.551115123125783e-17, x, copysign(y, x));  // 2^-54
}

// 2^x: the reduction is exact, r = x - k, and e^(r*ln2) follows.
static inline double exp2(double x) {
  const double c = clamp(x, -1080.0, 1025.0);
  const detail::Nearest64 k = detail::nearest_multiple(c, 1.0);
  const double r = (c - k.value) * 6.93147180559945309e-01;
  return detail::scale(detail::exp_polynomial(r), k.bits);
}
static inline float exp2(float x) {
  const float c = clamp(x, -151.0f, 129.0f);
  const auto k = detail::nearest_multiple(c, 1.0f);
  return detail::scale(detail::exp_polynomial((c - k.value) * 0.693147181f), k.bits);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_EXP_H
