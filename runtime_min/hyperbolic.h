// SPDX-License-Identifier: MIT-0
// Hyperbolic functions and their inverses, and the logistic function, for float and double.
// Branch-free.
//
// tanh(x): float x + x^3*P(x^2) for |x| < 0.55, else 1 - 2/(e^(2|x|) + 1);
//          double t/(t+2) with t = e^(2|x|) - 1.
// sigmoid(x) is 1/(1+e) or e/(1+e) with e = e^-|x|, so that it neither overflows nor loses small
// results.
//
// sinh(x) = (t + t/(t+1))/2 with t = e^|x| - 1, cosh(x) = (e^|x| + e^-|x|)/2; where e^|x| overflows
// but the result does not, e^(|x|/2) is multiplied twice. The inverses are logarithms in the form
// that does not cancel: asinh(x) = log1p(x + x^2/(1 + sqrt(x^2 + 1))), acosh(x) = log1p(t +
// sqrt(t*(t + 2))), t = x - 1, atanh(x) = log1p(2x/(1-x))/2; log(x) + ln2 for huge x. sinh, cosh
// and the inverses of a float are those of a double, rounded.
//
// Largest error (ULP): float tanh 1.6, sigmoid 2.5, others 0.6; double tanh 3, sigmoid 2.5, sinh
// 3, cosh 3, asinh 3, acosh 3, atanh 3.
#ifndef BURIN_RT_HYPERBOLIC_H
#define BURIN_RT_HYPERBOLIC_H

#include "exp.h"
#include "log.h"
#include "sqrt.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

namespace detail {
template <class F>
BURIN_RT_INLINE F tanh_small(F x) {
  const F z = x * x;
  F q = FloatOf<F>::number(-0.006263359f);
  q = madd(q, z, FloatOf<F>::number(0.021063004f));
  q = madd(q, z, FloatOf<F>::number(-0.05384986f));
  q = madd(q, z, FloatOf<F>::number(0.13332558f));
  q = madd(q, z, FloatOf<F>::number(-0.33333316f));
  return madd(product(x, z), q, x);
}
template <class F>
BURIN_RT_INLINE F tanh_of(F x) {
  const F one = FloatOf<F>::number(1.0f), two = FloatOf<F>::number(2.0f);
  const F a = clamp(abs(x), 0.0f, 10.0f);
  const F large = one - two / (exp_in_range(two * a) + one);
  return copysign(select_less(a, FloatOf<F>::number(0.55f), tanh_small(a), large), x);
}
}  // namespace detail

static inline float tanh(float x) { return detail::tanh_of(x); }
static inline double tanh(double x) {
  const double t = detail::expm1_in_range(2.0 * clamp(abs(x), 0.0, 20.0));
  return copysign(select(abs(x) < 5.551115123125783e-17, abs(x), t / (t + 2.0)), x);
}

static inline float sigmoid(float x) {
  const float e = exp(-abs(x));
  return select(x < 0.0f, e, 1.0f) / (1.0f + e);
}
static inline double sigmoid(double x) {
  const double e = exp(-abs(x));
  return select(x < 0.0, e, 1.0) / (1.0 + e);
}

static inline double sinh(double x) {
  const double a = abs(x);
  const double t = expm1(a);
  const double half_power = exp(0.5 * clamp(a, 0.0, 1500.0));
  const double small = 0.5 * (t + t / (t + 1.0));
  const double large = product(0.5 * half_power, half_power);
  return copysign(select(a < 700.0, select(a < 7.450580596923828e-09, a, small), large), x);
}
static inline double cosh(double x) {
  const double a = abs(x);
  const double power = exp(a);
  const double half_power = exp(0.5 * clamp(a, 0.0, 1500.0));
  const double large = product(0.5 * half_power, half_power);
  return select(a < 700.0, 0.5 * (power + 1.0 / power), large);
}

static inline double asinh(double x) {
  const double a = abs(x);
  const bool huge = a > 1e17;
  const double square = product(a, a);
  const double excess = square / (1.0 + sqrt(square + 1.0));
  const double y = log1p(select(huge, a, a + excess)) + select(huge, 0.69314718055994531, 0.0);
  return copysign(y, x);
}
static inline double acosh(double x) {
  const double t = x - 1.0;
  const bool huge = x > 1e17;
  const double y = log1p(select(huge, x, t + sqrt(product(t, t + 2.0))));
  return select(x < 1.0, f64_nan(), y + select(huge, 0.69314718055994531, 0.0));
}
static inline double atanh(double x) {
  const double a = abs(x);
  return copysign(0.5 * log1p((a + a) / (1.0 - a)), x);
}

static inline float sinh(float x) { return static_cast<float>(sinh(static_cast<double>(x))); }
static inline float cosh(float x) { return static_cast<float>(cosh(static_cast<double>(x))); }
static inline float asinh(float x) { return static_cast<float>(asinh(static_cast<double>(x))); }
static inline float acosh(float x) { return static_cast<float>(acosh(static_cast<double>(x))); }
static inline float atanh(float x) { return static_cast<float>(atanh(static_cast<double>(x))); }

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_HYPERBOLIC_H
