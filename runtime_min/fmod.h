// SPDX-License-Identifier: MIT-0
// Remainders: fmod (sign of the dividend, as C) and mod (sign of the divisor, as Python), for float
// and double. Exact. Zero divisors and infinite dividends give NaN; an infinite divisor leaves a
// finite dividend.
//
// Long division on the mantissas, 64 bits of dividend at a time: 40 new bits per step for float (at
// most 7 steps), 11 for double (at most 191). The first step is skipped for |x| < |y|. Not
// vectorisable.
#ifndef BURIN_RT_FMOD_H
#define BURIN_RT_FMOD_H

#include "bits.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

static inline float fmod(float x, float y) {
  const uint32_t a = to_bits(x) & 0x7fffffffu;
  const uint32_t b = to_bits(y) & 0x7fffffffu;
  if (a >= 0x7f800000u || b > 0x7f800000u || b == 0) return f32_nan();
  if (a < b) return x;
  // a subnormal number has the exponent of the smallest normal one and no hidden bit
  const uint32_t a_exponent = a >> 23 == 0 ? 1u : a >> 23;
  const uint32_t b_exponent = b >> 23 == 0 ? 1u : b >> 23;
  const uint64_t divisor = b >> 23 == 0 ? b : (b & 0x007fffffu) | 0x00800000u;
  uint64_t rest = a >> 23 == 0 ? a : (a & 0x007fffffu) | 0x00800000u;
  uint32_t steps = a_exponent - b_exponent;
  rest %= divisor;
  while (steps != 0 && rest != 0) {
    const uint32_t n = steps < 40u ? steps : 40u;
    rest = (rest << n) % divisor;
    steps -= n;
  }
  if (rest == 0) return copysign(0.0f, x);
  // rest * 2^(b_exponent - 150); put its top bit at 23 as far as the exponent allows
  const uint32_t room = count_leading_zeros(static_cast<uint32_t>(rest)) - 8u;
  const uint32_t shift = room < b_exponent ? room : b_exponent - 1u;
  const uint32_t mantissa = static_cast<uint32_t>(rest) << shift;
  return copysign(f32_from_bits(mantissa + ((b_exponent - shift - 1u) << 23)), x);
}

static inline double fmod(double x, double y) {
  const uint64_t a = to_bits(x) & 0x7fffffffffffffffu;
  const uint64_t b = to_bits(y) & 0x7fffffffffffffffu;
  if (a >= 0x7ff0000000000000u || b > 0x7ff0000000000000u || b == 0) return f64_nan();
  if (a < b) return x;
  const uint64_t a_exponent = a >> 52 == 0 ? 1u : a >> 52;
  const uint64_t b_exponent = b >> 52 == 0 ? 1u : b >> 52;
  const uint64_t divisor = b >> 52 == 0 ? b : (b & 0x000fffffffffffffu) | 0x0010000000000000u;
  uint64_t rest = a >> 52 == 0 ? a : (a & 0x000fffffffffffffu) | 0x0010000000000000u;
  uint64_t steps = a_exponent - b_exponent;
  rest %= divisor;
  while (steps != 0 && rest != 0) {
    const uint64_t n = steps < 11u ? steps : 11u;
    rest = (rest << n) % divisor;
    steps -= n;
  }
  if (rest == 0) return copysign(0.0, x);
  const uint64_t room = count_leading_zeros(rest) - 11u;
  const uint64_t shift = room < b_exponent ? room : b_exponent - 1u;
  return copysign(f64_from_bits((rest << shift) + ((b_exponent - shift - 1u) << 52)), x);
}

// x - y*floor(x/y), computed from the exact remainder; a zero has the sign of the divisor.
static inline float mod(float x, float y) {
  const float r = fmod(x, y);
  if (r == 0.0f) return copysign(0.0f, y);
  return signbit(r) != signbit(y) ? r + y : r;
}
static inline double mod(double x, double y) {
  const double r = fmod(x, y);
  if (r == 0.0) return copysign(0.0, y);
  return signbit(r) != signbit(y) ? r + y : r;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FMOD_H
