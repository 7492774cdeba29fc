// SPDX-License-Identifier: MIT-0
// Sine, cosine and tangent of an angle in radians, for float and double, every finite x (see
// angle.h). Infinities and NaN give NaN.
//
// Minimax polynomials on [-pi/4, pi/4]; the quadrant swaps them and their signs. The float
// functions compute in double and are branch-free. The double functions branch on the size of the
// angle.
//
// Largest error (ULP): float sin, cos, tan 0.6; double sin, cos 1, tan 3.
#ifndef BURIN_RT_TRIG_H
#define BURIN_RT_TRIG_H

#include "angle.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// For float results: relative error about 2^-37 and 2^-33.
static inline double sin_short(double r) {
  const double z = r * r;
  double q = 2.7179712415190476e-6;
  q = madd(q, z, -0.00019839296537987755);
  q = madd(q, z, 0.008333329256084477);
  q = madd(q, z, -0.16666666640377886);
  return madd(product(r, z), q, r);
}
static inline double cos_short(double r) {
  const double z = r * r;
  double q = 2.443166818938932e-5;
  q = madd(q, z, -0.0013887303459691142);
  q = madd(q, z, 0.04166664542531272);
  return madd(product(z, z), q, madd(z, -0.5, 1.0));
}

// For double results; a.low enters to first order.
static inline double sin_full(const Angle& a) {
  const double r = a.high;
  const double z = r * r;
  double q = 1.589553385885619e-10;
  q = madd(q, z, -2.5050735956897275e-8);
  q = madd(q, z, 2.75573135471902e-6);
  q = madd(q, z, -0.0001984126982937843);
  q = madd(q, z, 0.008333333333321856);
  q = madd(q, z, -0.1666666666666663);
  return r + madd(product(r, z), q, a.low);
}
static inline double cos_full(const Angle& a) {
  const double r = a.high;
  const double z = product(r, r);
  double q = -1.1357748136572617e-11;
  q = madd(q, z, 2.087568512430092e-9);
  q = madd(q, z, -2.755731405875376e-7);
  q = madd(q, z, 2.480158728841065e-5);
  q = madd(q, z, -0.0013888888888872295);
  q = madd(q, z, 0.04166666666666659);
  const double half = 0.5 * z;
  const double head = 1.0 - half;
  const double lost = (1.0 - head) - half;
  return head + (lost + madd(product(z, z), q, -product(r, a.low)));
}

static inline double from_quadrant(double sine, double cosine, uint32_t quadrant) {
  const double value = select_by_bit(quadrant, cosine, sine);
  return f64_from_bits(to_bits(value) ^ (static_cast<uint64_t>(quadrant & 2u) << 62));
}
// s/c, or -c/s in odd quadrants.
static inline double tangent_from_quadrant(double s, double c, uint32_t quadrant) {
  return select_by_bit(quadrant, -c, s) / select_by_bit(quadrant, s, c);
}

}  // namespace detail

static inline float sin(float x) {
  const detail::Angle a = detail::reduce_angle(x);
  const double y =
      detail::from_quadrant(detail::sin_short(a.high), detail::cos_short(a.high), a.quadrant);
  return select(x == 0.0f, x, select(isfinite(x), static_cast<float>(y), f32_nan()));
}
static inline float cos(float x) {
  const detail::Angle a = detail::reduce_angle(x);
  const double y =
      detail::from_quadrant(detail::sin_short(a.high), detail::cos_short(a.high), a.quadrant + 1u);
  return select(isfinite(x), static_cast<float>(y), f32_nan());
}
static inline float tan(float x) {
  const detail::Angle a = detail::reduce_angle(x);
  const double s = detail::sin_short(a.high);
  const double c = detail::cos_short(a.high);
  const double y = detail::tangent_from_quadrant(s, c, a.quadrant);
  return select(x == 0.0f, x, select(isfinite(x), static_cast<float>(y), f32_nan()));
}

static inline double sin(double x) {
  if (!isfinite(x)) return f64_nan();
  const detail::Angle a = detail::reduce_angle(x);
  const double y = detail::from_quadrant(detail::sin_full(a), detail::cos_full(a), a.quadrant);
  return x == 0.0 ? x : y;
}
static inline double cos(double x) {
  if (!isfinite(x)) return f64_nan();
  const detail::Angle a = detail::reduce_angle(x);
  return detail::from_quadrant(detail::sin_full(a), detail::cos_full(a), a.quadrant + 1u);
}
static inline double tan(double x) {
  if (!isfinite(x)) return f64_nan();
  const detail::Angle a = detail::reduce_angle(x);
  const double s = detail::sin_full(a);
  const double c = detail::cos_full(a);
  const double y = detail::tangent_from_quadrant(s, c, a.quadrant);
  return x == 0.0 ? x : y;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_TRIG_H
