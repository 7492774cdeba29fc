// SPDX-License-Identifier: MIT-0
// x to the power y, for float and double, with the special cases of IEEE 754 (pow(x, 0) = 1 and
// pow(1, y) = 1 even for NaN; a negative x needs an integral y). Branch-free.
//
// 2^(y * log2|x|). For float, log2 and exp2 are evaluated in double to about 2^-34. For double,
// log|x| is needed to 2^-64, relatively, because y multiplies its error by up to 745: log(m) =
// 2*atanh(s), s = f/(2+f), where s, s^3 and their sum are double-double, and the rest of the series
// is a double polynomial.
//
// Largest error (ULP): float 0.6; double 1.2.
#ifndef BURIN_RT_POW_H
#define BURIN_RT_POW_H

#include "double_double.h"
#include "exp.h"
#include "log.h"
#include "round.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// log2(x) for positive finite normal x, relative error about 2^-45.
static inline double log2_medium(double x) {
  const Decomposed64 d = decompose(x);
  const double s = d.fraction / (2.0 + d.fraction);
  const double z = s * s;
  double q = 0.28294260577447566;
  q = madd(q, z, 0.3199028814578304);
  q = madd(q, z, 0.4122093169544821);
  q = madd(q, z, 0.57707794176934379);
  q = madd(q, z, 0.9617966941152285);
  q = madd(q, z, 2.8853900817778491);
  return madd(s, q, d.exponent);
}

// 2^t for |t| <= 1000 or NaN, relative error about 2^-34.
static inline double exp2_medium(double t) {
  const Nearest64 k = nearest_multiple(t, 1.0);
  const double r = t - k.value;
  double q = 1.5195931351792825e-5;
  q = madd(q, r, 1.5467008533380172e-4);
  q = madd(q, r, 0.0013333938072217662);
  q = madd(q, r, 9.6180374060403778e-3);
  q = madd(q, r, 5.5504103599682636e-2);
  q = madd(q, r, 0.24022651070998141);
  q = madd(q, r, 0.69314718070685721);
  return madd(q, r, 1.0) * f64_from_bits((k.bits + 1023u) << 52);
}

// log|x| for positive finite x, as a double-double.
static inline DoubleDouble log_precise(double x) {
  const Decomposed64 d = decompose(x);
  const double f = d.fraction;
  // s = f / (2 + f): the rounded quotient, then its remainder divided
  const DoubleDouble denominator = quick_two_sum(2.0, f);
  const double s_high = f / denominator.high;
  const DoubleDouble back = two_product(s_high, denominator.high);
  const double remainder = (f - back.high) - madd(s_high, denominator.low, back.low);
  const DoubleDouble s = quick_two_sum(s_high, remainder / denominator.high);
  // 2s + s^3 * (2/3 + z*tail), z = s^2
  const DoubleDouble z = dd_multiply(s, s);
  double tail = 0.12000059546266255;
  tail = madd(tail, z.high, 0.11673393186192513);
  tail = madd(tail, z.high, 0.13336393618671455);
  tail = madd(tail, z.high, 0.15384554694997750);
  tail = madd(tail, z.high, 0.18181818905911648);
  tail = madd(tail, z.high, 0.22222222217205906);
  tail = madd(tail, z.high, 0.28571428571446705);
  tail = madd(tail, z.high, 0.39999999999999974);
  const DoubleDouble third = {0.66666666666666663, 3.7007434154171886e-17};
  const DoubleDouble bracket = dd_add(third, two_product(z.high, tail));
  const DoubleDouble cubic = dd_multiply(dd_multiply(s, z), bracket);
  const DoubleDouble twice = {s.high + s.high, s.low + s.low};
  const DoubleDouble mantissa = dd_add(twice, cubic);
  // ln2 as a head of 38 bits, whose product with k is exact, and a tail
  const double head = product(d.exponent, 0.69314718055829871);
  const DoubleDouble small = dd_add(two_product(d.exponent, 1.6465949582897082e-12), mantissa);
  return dd_add(DoubleDouble{head, 0.0}, small);
}

// e^(t.high + t.low) for -746 <= t.high <= 710 or NaN.
static inline double exp_precise(DoubleDouble t) {
  const Nearest64 k = nearest_multiple(t.high, 1.4426950408889634);
  const double r = reduce_ln2(t.high, k.value);
  return scale(exp_polynomial(r + t.low), k.bits);
}

// The result's special cases, around `power`, which is |x|^y for finite nonzero x.
static inline float pow_special(float x, float y, float power) {
  const float a = abs(x);
  const float limit =
      select(y < 0.0f, f32_from_bits(0x7f800000u - to_bits(a)), a);  // 1/0, 1/infinity
  float result = select((a == 0.0f) | (a == f32_infinity()), limit, power);
  const bool integral = trunc(y) == y;
  const bool odd = integral & (trunc(0.5f * y) != 0.5f * y);
  result = select(odd & signbit(x), -result, result);
  result = select((x < 0.0f) & (a != f32_infinity()) & !integral, f32_nan(), result);
  result = select((x != x) | (y != y), f32_nan(), result);
  return select((y == 0.0f) | (x == 1.0f), 1.0f, result);
}
static inline double pow_special(double x, double y, double power) {
  const double a = abs(x);
  const double limit = select(y < 0.0, f64_from_bits(0x7ff0000000000000u - to_bits(a)), a);
  double result = select((a == 0.0) | (a == f64_infinity()), limit, power);
  const bool integral = trunc(y) == y;
  const bool odd = integral & (trunc(0.5 * y) != 0.5 * y);
  result = select(odd & signbit(x), -result, result);
  result = select((x < 0.0) & (a != f64_infinity()) & !integral, f64_nan(), result);
  result = select((x != x) | (y != y), f64_nan(), result);
  return select((y == 0.0) | (x == 1.0), 1.0, result);
}

}  // namespace detail

static inline float pow(float x, float y) {
  // |y| >= 2^40 gives 0, 1 or infinity for every float x; the limit keeps infinity * 0 away
  const double exponent = clamp(static_cast<double>(y), -1099511627776.0, 1099511627776.0);
  const double t = product(exponent, detail::log2_medium(static_cast<double>(abs(x))));
  const double power = detail::exp2_medium(clamp(t, -200.0, 200.0));
  return detail::pow_special(x, y, static_cast<float>(power));
}

static inline double pow(double x, double y) {
  // as above with 2^66; it also keeps Dekker's products in range
  const double exponent = clamp(y, -73786976294838206464.0, 73786976294838206464.0);
  const detail::DoubleDouble t = detail::dd_multiply(detail::log_precise(abs(x)), exponent);
  const double high = clamp(t.high, -746.0, 710.0);
  const double low = select(high == t.high, t.low, 0.0);
  const double power = detail::exp_precise(detail::DoubleDouble{high, low});
  return detail::pow_special(x, y, power);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_POW_H
