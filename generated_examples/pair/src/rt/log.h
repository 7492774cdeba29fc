// SPDX-License-Identifier: MIT-0
// Logarithms: log, log1p, log2, log10 for float and double. Branch-free.
//
// x = 2^k * m with sqrt(1/2) <= m < sqrt(2), found by integer arithmetic on the bits. With f = m -
// 1:
//   float:  log(m) = f - f^2/2 + f^3*P(f), P a minimax polynomial;
//   double: s = f/(2+f), log(m) = 2*atanh(s) = f - (f^2/2 - s*(f^2/2 + R(s^2))).
// k*ln2 is added with ln2 in two parts, the first short enough for an exact product.
// log1p(x) works on u = 1 + x and puts the rounding error of that sum back into f.
// log2 and log10 of a float are those of a double, rounded.
//
// Zero gives -infinity, negative numbers NaN. Largest error (ULP): float log 1, log1p 1.6, log2 and
// log10 0.6; double log 1, log1p 1.6, log2 2, log10 2.
#ifndef BURIN_RT_LOG_H
#define BURIN_RT_LOG_H

#include "fma.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// x = 2^exponent * (1 + fraction).
struct Decomposed32 {
  float exponent;
  float fraction;
};
struct Decomposed64 {
  double exponent;
  double fraction;
  uint64_t biased;  // exponent + 1023, as two's complement
};
// For positive finite x; subnormal numbers are scaled up first.
static inline Decomposed32 decompose(float x) {
  const bool tiny = x < 1.17549435e-38f;
  const float scaled = select(tiny, x * 8388608.0f, x);
  const uint32_t from_half_root = to_bits(scaled) - 0x3f3504f3u;
  const float shift = select(tiny, 23.0f, 0.0f);
  const int32_t k = static_cast<int32_t>(from_half_root) >> 23;
  const float m = f32_from_bits((from_half_root & 0x007fffffu) + 0x3f3504f3u);
  return {static_cast<float>(k) - shift, m - 1.0f};
}
static inline Decomposed64 decompose(double x) {
  const bool tiny = x < 2.2250738585072014e-308;
  const double scaled = select(tiny, x * 18014398509481984.0, x);
  const uint64_t from_half_root = to_bits(scaled) - 0x3fe6a09e667f3bcdu;
  const uint64_t biased =
      ((from_half_root + 0x3ff0000000000000u) >> 52) - select(tiny, uint64_t{54}, uint64_t{0});
  const double m = f64_from_bits((from_half_root & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
  // an integer below 2^51 becomes a double by its bits; AVX2 has no conversion
  const double k = f64_from_bits(0x4338000000000000u + biased - 1023u) - 6755399441055744.0;
  return {k, m - 1.0, biased};
}

// log(1 + f) - f + f^2/2 over f^2: the polynomial's part, |f| < 0.4143.
static inline float log_polynomial(float f) {
  float q = -0.07286021f;
  q = madd(q, f, 0.1256589f);
  q = madd(q, f, -0.13212356f);
  q = madd(q, f, 0.14238907f);
  q = madd(q, f, -0.16621207f);
  q = madd(q, f, 0.1999899f);
  q = madd(q, f, -0.2500084f);
  q = madd(q, f, 0.33333373f);
  return madd(q, f, -0.5f);
}
// k*ln2 + log(1+f).
static inline float log_sum(float k, float f) {
  const float small = madd(f * f, log_polynomial(f), product(k, -2.12194440e-4f));
  return madd(k, 0.693359375f, f + small);
}

// log(1+f) = f - log_rest(f), |f| < 0.4143.
static inline double log_rest(double f) {
  const double s = f / (2.0 + f);
  const double z = s * s;
  double q = 0.14798597115444004;
  q = madd(q, z, 0.15313803527247324);
  q = madd(q, z, 0.1818357326377135);
  q = madd(q, z, 0.22222198415701797);
  q = madd(q, z, 0.28571428743773331);
  q = madd(q, z, 0.39999999999409158);
  q = madd(q, z, 0.66666666666667351);
  const double half_square = product(0.5 * f, f);
  return madd(-s, madd(q, z, half_square), half_square);
}
// k*ln2 + log(1+f).
static inline double log_sum(double k, double f) {
  const double small = madd(k, 1.90821492927058770002e-10, -log_rest(f));
  return madd(k, 6.93147180369123816490e-01, f + small);
}

// The value of a logarithm where the formula does not hold: x <= 0, infinity, NaN.
static inline float log_special(float x, float y) {
  y = select(x < f32_infinity(), y, x);
  y = select(x == 0.0f, -f32_infinity(), y);
  return select(x < 0.0f, f32_nan(), y);
}
static inline double log_special(double x, double y) {
  y = select(x < f64_infinity(), y, x);
  y = select(x == 0.0, -f64_infinity(), y);
  return select(x < 0.0, f64_nan(), y);
}

}  // namespace detail

static inline float log(float x) {
  const detail::Decomposed32 d = detail::decompose(x);
  return detail::log_special(x, detail::log_sum(d.exponent, d.fraction));
}
static inline double log(double x) {
  const detail::Decomposed64 d = detail::decompose(x);
  return detail::log_special(x, detail::log_sum(d.exponent, d.fraction));
}

static inline double log2(double x) {
  const detail::Decomposed64 d = detail::decompose(x);
  const double natural = d.fraction - detail::log_rest(d.fraction);
  return detail::log_special(x, madd(natural, 1.4426950408889634, d.exponent));
}
static inline float log2(float x) { return static_cast<float>(log2(static_cast<double>(x))); }

static inline double log10(double x) {
  const detail::Decomposed64 d = detail::decompose(x);
  const double natural = d.fraction - detail::log_rest(d.fraction);
  // log10(2) in two parts, the first of 36 bits
  const double small =
      madd(natural, 0.43429448190325182, product(d.exponent, 3.69423907715893078616e-13));
  return detail::log_special(x, madd(d.exponent, 3.01029995663611771306e-01, small));
}
static inline float log10(float x) { return static_cast<float>(log10(static_cast<double>(x))); }

static inline float log1p(float x) {
  const float u = 1.0f + x;
  const float lost = select(x >= 1.0f, 1.0f - (u - x), x - (u - 1.0f));  // exact: 1 + x - u
  const detail::Decomposed32 d = detail::decompose(u);
  // 2^-k; what a u above 2^60 lost does not matter
  const uint32_t k = static_cast<uint32_t>(static_cast<int32_t>(d.exponent));
  const bool kept = u < 1.15292150e18f;
  const float unit = f32_from_bits(select(kept, (127u - k) << 23, 0u));
  const float f = madd(select(kept, lost, 0.0f), unit, d.fraction);
  const float y = detail::log_special(u, detail::log_sum(d.exponent, f));
  return select(abs(x) < 2.98023224e-8f, x, y);
}
static inline double log1p(double x) {
  const double u = 1.0 + x;
  const double lost = select(x >= 1.0, 1.0 - (u - x), x - (u - 1.0));
  const detail::Decomposed64 d = detail::decompose(u);
  const bool kept = u < 1.152921504606847e18;
  const double unit = f64_from_bits(select(kept, (2046u - d.biased) << 52, uint64_t{0}));
  const double f = madd(select(kept, lost, 0.0), unit, d.fraction);
  const double y = detail::log_special(u, detail::log_sum(d.exponent, f));
  return select(abs(x) < 5.551115123125783e-17, x, y);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_LOG_H
