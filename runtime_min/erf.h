// SPDX-License-Identifier: MIT-0
// The error function for float and double. Branch-free: both branches are computed, one is
// selected.
//
// Small |x|: x + x*P(x^2). Larger |x|: 1 - erfc, where a small relative error of erfc is enough:
//   float:  erfc(x) = e^p(x), p a minimax polynomial for log(erfc) on [0.9, 4];
//   double: erfc(x) = e^(-x^2) * g(t), t = (x-2)/(x+2), g a minimax polynomial for e^(x^2)*erfc(x)
//   on [0.85, 6].
// Beyond the interval the result has already rounded to 1.
//
// Largest error (ULP): float 1.4; double 1.3.
#ifndef BURIN_RT_ERF_H
#define BURIN_RT_ERF_H

#include "exp.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <class F>
BURIN_RT_INLINE F erf_small(F x) {
  const F z = x * x;
  F q = FloatOf<F>::number(8.308815e-5f);
  q = madd(q, z, FloatOf<F>::number(-0.0008126518f));
  q = madd(q, z, FloatOf<F>::number(0.0051993947f));
  q = madd(q, z, FloatOf<F>::number(-0.026858607f));
  q = madd(q, z, FloatOf<F>::number(0.11283677f));
  q = madd(q, z, FloatOf<F>::number(-0.37612632f));
  q = madd(q, z, FloatOf<F>::number(0.12837917f));
  return madd(x, q, x);
}
template <class F>
BURIN_RT_INLINE F erf_large(F a) {
  F p = FloatOf<F>::number(0.00019821963f);
  p = madd(p, a, FloatOf<F>::number(-0.00306549f));
  p = madd(p, a, FloatOf<F>::number(0.022315212f));
  p = madd(p, a, FloatOf<F>::number(-0.104113676f));
  p = madd(p, a, FloatOf<F>::number(-0.63697606f));
  p = madd(p, a, FloatOf<F>::number(-1.1277972f));
  p = madd(p, a, FloatOf<F>::number(-0.00016644798f));
  return FloatOf<F>::number(1.0f) - exp_in_range(p);
}
template <class F>
BURIN_RT_INLINE F erf_of(F x) {
  const F a = clamp(abs(x), 0.0f, 4.0f);
  return copysign(select_less(a, FloatOf<F>::number(0.921875f), erf_small(a), erf_large(a)), x);
}

static inline double erf_small(double x) {
  const double z = x * x;
  double q = 1.0581868284093976e-8;
  q = madd(q, z, -1.566424652310176e-7);
  q = madd(q, z, 1.6394239094655508e-6);
  q = madd(q, z, -1.4921520744807647e-5);
  q = madd(q, z, 1.2055170502831939e-4);
  q = madd(q, z, -8.5483229013119e-4);
  q = madd(q, z, 5.2239775600688641e-3);
  q = madd(q, z, -2.6866170639072637e-2);
  q = madd(q, z, 0.11283791670926321);
  q = madd(q, z, -0.37612638903183221);
  q = madd(q, z, 0.12837916709551256);
  return madd(x, q, x);
}
static inline double erf_large(double a) {
  const double t = (a - 2.0) / (a + 2.0);
  double g = 1.4354178730237601e-6;
  g = madd(g, t, -6.7682709695786163e-8);
  g = madd(g, t, -1.4216116865160333e-5);
  g = madd(g, t, -2.7456141731759398e-5);
  g = madd(g, t, 2.7588090962230933e-5);
  g = madd(g, t, 1.7436621933953595e-4);
  g = madd(g, t, 4.3553109656502189e-5);
  g = madd(g, t, -9.8197758454831078e-4);
  g = madd(g, t, -8.47143245616754e-4);
  g = madd(g, t, 6.9974617503855965e-3);
  g = madd(g, t, 3.7328924050325932e-3);
  g = madd(g, t, -7.8978581015785282e-2);
  g = madd(g, t, 0.24165819424246135);
  g = madd(g, t, -0.42718584741395838);
  g = madd(g, t, 0.25539567631050575);
  return madd(-g, exp(-(a * a)), 1.0);
}

}  // namespace detail

static inline float erf(float x) { return detail::erf_of(x); }
static inline double erf(double x) {
  const double a = clamp(abs(x), 0.0, 6.0);
  const double small = detail::erf_small(a);
  return copysign(select(a < 0.859375, small, detail::erf_large(a)), x);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_ERF_H
