// SPDX-License-Identifier: MIT-0
// Inverse trigonometric functions: asin, acos, atan, atan2, in radians, for float and double.
// Branch-free.
//
// asin: x + x^3*P(x^2) up to 1/2, beyond it pi/2 - 2*asin(sqrt((1-|x|)/2)), with the root's
// rounding error put back. atan: u + u^3*P(u^2) for |u| <= tan(pi/8), reached by u = (t-1)/(t+1) or
// -1/t and an offset of pi/4 or pi/2. The float functions are the double ones, rounded. Outside
// [-1, 1] asin and acos are NaN.
//
// Largest error (ULP): float 0.6 each; double asin 2, acos 2, atan 2, atan2 2.5.
#ifndef BURIN_RT_INVERSE_TRIG_H
#define BURIN_RT_INVERSE_TRIG_H

#include "double_double.h"
#include "sqrt.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// asin(x) - x for |x| <= 1/2, given x and z = x^2.
static inline double asin_excess(double x, double z) {
  double q = 0.03264714428044475;
  q = madd(q, z, -0.021027174339733237);
  q = madd(q, z, 0.021726181596845945);
  q = madd(q, z, 0.0036992076041182766);
  q = madd(q, z, 0.01078201591189179);
  q = madd(q, z, 0.011398625800966178);
  q = madd(q, z, 0.01398085170129768);
  q = madd(q, z, 0.01735160978331271);
  q = madd(q, z, 0.0223722150875634);
  q = madd(q, z, 0.03038194270529706);
  q = madd(q, z, 0.04464285717463486);
  q = madd(q, z, 0.07499999999970819);
  q = madd(q, z, 0.1666666666666676);
  return product(product(x, z), q);
}

// 2*asin(sqrt((1-a)/2)) for 1/2 <= a <= 1, as a sum high + low.
static inline DoubleDouble twice_asin_of_root(double a) {
  const double z = 0.5 * (1.0 - a);  // exact
  const double root = sqrt(z);
  const DoubleDouble square = two_product(root, root);
  const double lost = (z - square.high) - square.low;
  const double correction = select(root > 0.0, lost / (root + root), 0.0);
  const double rest = asin_excess(root, z) + correction;
  return {root + root, rest + rest};
}

// atan(numerator/denominator) for non-negative finite arguments, not both zero, whose sum does not
// overflow.
static inline double atan_ratio(double numerator, double denominator) {
  const bool middle = numerator > 0.41421356237309503 * denominator;
  const bool far = denominator < 0.41421356237309503 * numerator;
  double top = select(middle, numerator - denominator, numerator);
  double bottom = select(middle, numerator + denominator, denominator);
  top = select(far, -denominator, top);
  bottom = select(far, numerator, bottom);
  double offset = select(middle, 0.78539816339744828, 0.0);
  double offset_low = select(middle, 3.061616997868383e-17, 0.0);
  offset = select(far, 1.5707963267948966, offset);
  offset_low = select(far, 6.123233995736766e-17, offset_low);
  const double u = top / bottom;
  const double z = u * u;
  double q = 0.015138759018562764;
  q = madd(q, z, -0.033413964246180906);
  q = madd(q, z, 0.04500701625169457);
  q = madd(q, z, -0.05217631289167489);
  q = madd(q, z, 0.05876888074895933);
  q = madd(q, z, -0.06666211389893952);
  q = madd(q, z, 0.07692281571795014);
  q = madd(q, z, -0.09090908083615719);
  q = madd(q, z, 0.11111111086172135);
  q = madd(q, z, -0.14285714285348478);
  q = madd(q, z, 0.19999999999997262);
  q = madd(q, z, -0.33333333333333326);
  return offset + (u + madd(product(u, z), q, offset_low));
}

}  // namespace detail

static inline double asin(double x) {
  const double a = abs(x);
  const double near = a + detail::asin_excess(a, a * a);
  const detail::DoubleDouble rest = detail::twice_asin_of_root(a);
  // 1.5707963267948966 - high is exact or its error is below half a place of the result
  const double far = (1.5707963267948966 - rest.high) - (rest.low - 6.123233995736766e-17);
  return copysign(select(a < 0.5, near, far), x);
}
static inline double acos(double x) {
  const double a = abs(x);
  const double excess = detail::asin_excess(x, x * x);
  const double near = 1.5707963267948966 - (x - (6.123233995736766e-17 - excess));
  const detail::DoubleDouble rest = detail::twice_asin_of_root(a);
  const double positive = rest.high + rest.low;
  const double negative = (3.1415926535897931 - rest.high) - (rest.low - 1.2246467991473532e-16);
  return select(a < 0.5, near, select(x < 0.0, negative, positive));
}
static inline double atan(double x) {
  const double a = abs(x);
  const bool infinite = a == f64_infinity();
  const double y = detail::atan_ratio(select(infinite, 1.0, a), select(infinite, 0.0, 1.0));
  return copysign(select(a < 7.450580596923828e-09, a, y), x);
}

// The angle of the point (x, y), in [-pi, pi]; signs of zeros and infinities as in C.
static inline double atan2(double y, double x) {
  const double infinity = f64_infinity();
  double top = abs(y);
  double bottom = abs(x);
  const bool nan = (x != x) | (y != y);
  const bool top_infinite = top == infinity;
  const bool bottom_infinite = bottom == infinity;
  // keep the sum of the two finite and the larger one normal; the ratio is unchanged
  const double larger = select(top > bottom, top, bottom);
  const double scale = select(larger > 1e300, 7.888609052210118e-31,  // 2^-100
                              select(larger < 1e-280, 1.2676506002282294e30, 1.0));
  top = select(top_infinite, 1.0, select(bottom_infinite, 0.0, product(top, scale)));
  bottom = select(bottom_infinite, 1.0, select(top_infinite, 0.0, product(bottom, scale)));
  bottom = select((top == 0.0) & (bottom == 0.0), 1.0, bottom);
  const double angle = detail::atan_ratio(top, bottom);
  const double mirrored = 3.1415926535897931 - (angle - 1.2246467991473532e-16);
  const double result = copysign(select(signbit(x), mirrored, angle), y);
  return select(nan, f64_nan(), result);
}

static inline float asin(float x) { return static_cast<float>(asin(static_cast<double>(x))); }
static inline float acos(float x) { return static_cast<float>(acos(static_cast<double>(x))); }
static inline float atan(float x) { return static_cast<float>(atan(static_cast<double>(x))); }
static inline float atan2(float y, float x) {
  return static_cast<float>(atan2(static_cast<double>(y), static_cast<double>(x)));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_INVERSE_TRIG_H
