// SPDX-License-Identifier: MIT-0
// Multiplication and division of doubles, and division of floats, by integers only: correctly
// rounded (to nearest even), with subnormal numbers, infinities and NaN. For targets whose compiler
// calls a library function for them. Arguments and results are bit patterns, so that nothing here
// calls what it implements.
#ifndef BURIN_RT_FREESTANDING_SOFT_FLOAT_H
#define BURIN_RT_FREESTANDING_SOFT_FLOAT_H

#include "../bits.h"
#include "../tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

constexpr uint64_t kSign64 = 0x8000000000000000u;
constexpr uint64_t kInfinity64 = 0x7ff0000000000000u;
constexpr uint64_t kNan64 = 0x7ff8000000000000u;
constexpr uint64_t kHidden64 = 0x0010000000000000u;

// A finite nonzero magnitude as mantissa * 2^(exponent - 1075), 2^52 <= mantissa < 2^53.
struct Normalised {
  uint64_t mantissa;
  int32_t exponent;
};
static inline Normalised normalise(uint64_t magnitude) {
  const int32_t exponent = static_cast<int32_t>(magnitude >> 52);
  const uint64_t fraction = magnitude & (kHidden64 - 1u);
  if (exponent != 0) return {fraction | kHidden64, exponent};
  const int32_t shift = static_cast<int32_t>(count_leading_zeros(fraction)) - 11;
  return {fraction << shift, 1 - shift};
}

// significand * 2^(exponent - 1075 - 10), rounded; 2^62 <= significand < 2^63 has its last bit set
// if anything was lost already.
static inline uint64_t round_to_double(uint64_t sign, uint64_t significand, int32_t exponent) {
  if (exponent >= 2047) return sign | kInfinity64;
  if (exponent <= 0) {  // subnormal: shift right, remembering what falls off
    const int32_t shift = 1 - exponent;
    if (shift > 62) return sign;
    const uint64_t lost = significand & ((uint64_t{1} << shift) - 1u);
    significand = (significand >> shift) | (lost != 0 ? 1u : 0u);
    exponent = 0;
  } else {
    exponent -= 1;  // the hidden bit adds one
  }
  const uint64_t rest = significand & 1023u;
  uint64_t result = (static_cast<uint64_t>(exponent) << 52) + (significand >> 10);
  if (rest > 512u || (rest == 512u && (result & 1u) != 0))
    ++result;  // may carry into the exponent, up to infinity
  return sign | result;
}

static inline uint64_t multiply_f64(uint64_t a, uint64_t b) {
  const uint64_t sign = (a ^ b) & kSign64;
  a &= ~kSign64;
  b &= ~kSign64;
  if (a > kInfinity64 || b > kInfinity64) return kNan64;
  if (a == kInfinity64 || b == kInfinity64) return a == 0 || b == 0 ? kNan64 : sign | kInfinity64;
  if (a == 0 || b == 0) return sign;
  const Normalised x = normalise(a);
  const Normalised y = normalise(b);
  // 53 x 53 bits: the product has 105 or 106; keep the first 63 and a sticky bit
  const uint64_t x_low = x.mantissa & 0xffffffffu, x_high = x.mantissa >> 32;
  const uint64_t y_low = y.mantissa & 0xffffffffu, y_high = y.mantissa >> 32;
  const uint64_t low = x_low * y_low;
  const uint64_t middle = x_high * y_low + (low >> 32);
  const uint64_t middle_low = x_low * y_high + (middle & 0xffffffffu);
  const uint64_t high = x_high * y_high + (middle >> 32) + (middle_low >> 32);
  const uint64_t low_word = (middle_low << 32) | (low & 0xffffffffu);
  // high:low_word is below 2^106, so the top bit is bit 40 or 41 of high
  const bool large = (high >> 41) != 0;
  const uint32_t up = large ? 21u : 22u;
  uint64_t significand = (high << up) | (low_word >> (64u - up));
  if ((low_word << up) != 0) significand |= 1u;
  return round_to_double(sign, significand, x.exponent + y.exponent - 1023 + (large ? 1 : 0));
}

static inline uint64_t divide_f64(uint64_t a, uint64_t b) {
  const uint64_t sign = (a ^ b) & kSign64;
  a &= ~kSign64;
  b &= ~kSign64;
  if (a > kInfinity64 || b > kInfinity64) return kNan64;
  if (a == kInfinity64) return b == kInfinity64 ? kNan64 : sign | kInfinity64;
  if (b == kInfinity64) return sign;
  if (b == 0) return a == 0 ? kNan64 : sign | kInfinity64;
  if (a == 0) return sign;
  const Normalised x = normalise(a);
  const Normalised y = normalise(b);
  // schoolbook: one quotient bit per step, 63 of them, the first of which is 1
  const bool smaller = x.mantissa < y.mantissa;
  uint64_t rest = smaller ? x.mantissa << 1 : x.mantissa;
  uint64_t quotient = 0;
  for (int i = 0; i < 63; ++i) {
    const bool fits = rest >= y.mantissa;
    quotient = (quotient << 1) | (fits ? 1u : 0u);
    rest = (fits ? rest - y.mantissa : rest) << 1;
  }
  if (rest != 0) quotient |= 1u;
  return round_to_double(sign, quotient, x.exponent - y.exponent + 1023 - (smaller ? 1 : 0));
}

// The same for floats: 31 quotient bits with a sticky bit, rounded once.
static inline uint32_t divide_f32(uint32_t a, uint32_t b) {
  const uint32_t sign = (a ^ b) & 0x80000000u;
  a &= 0x7fffffffu;
  b &= 0x7fffffffu;
  if (a > 0x7f800000u || b > 0x7f800000u) return 0x7fc00000u;
  if (a == 0x7f800000u) return b == 0x7f800000u ? 0x7fc00000u : sign | 0x7f800000u;
  if (b == 0x7f800000u) return sign;
  if (b == 0) return a == 0 ? 0x7fc00000u : sign | 0x7f800000u;
  if (a == 0) return sign;
  int32_t x_exponent = static_cast<int32_t>(a >> 23);
  int32_t y_exponent = static_cast<int32_t>(b >> 23);
  uint64_t x = (a & 0x007fffffu) | 0x00800000u;
  uint64_t y = (b & 0x007fffffu) | 0x00800000u;
  if (x_exponent == 0) {
    const int32_t shift = static_cast<int32_t>(count_leading_zeros(a)) - 8;
    x = static_cast<uint64_t>(a) << shift;
    x_exponent = 1 - shift;
  }
  if (y_exponent == 0) {
    const int32_t shift = static_cast<int32_t>(count_leading_zeros(b)) - 8;
    y = static_cast<uint64_t>(b) << shift;
    y_exponent = 1 - shift;
  }
  const bool smaller = x < y;
  uint64_t rest = smaller ? x << 1 : x;
  uint64_t quotient = 0;  // 31 bits, the first of which is 1: 24, and 7 to round with
  for (int i = 0; i < 31; ++i) {
    const bool fits = rest >= y;
    quotient = (quotient << 1) | (fits ? 1u : 0u);
    rest = (fits ? rest - y : rest) << 1;
  }
  if (rest != 0) quotient |= 1u;
  int32_t exponent = x_exponent - y_exponent + 127 - (smaller ? 1 : 0);
  if (exponent >= 255) return sign | 0x7f800000u;
  if (exponent <= 0) {
    const int32_t shift = 1 - exponent;
    if (shift > 31) return sign;
    const uint64_t lost = quotient & ((uint64_t{1} << shift) - 1u);
    quotient = (quotient >> shift) | (lost != 0 ? 1u : 0u);
    exponent = 1;
  }
  const uint64_t low = quotient & 127u;
  uint32_t result =
      (static_cast<uint32_t>(exponent - 1) << 23) + static_cast<uint32_t>(quotient >> 7);
  if (low > 64u || (low == 64u && (result & 1u) != 0)) ++result;
  return sign | result;
}

}  // namespace detail
}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FREESTANDING_SOFT_FLOAT_H
