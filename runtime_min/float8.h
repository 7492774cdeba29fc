// SPDX-License-Identifier: MIT-0
// Eight-bit floating-point numbers as ONNX names them, stored as uint8_t: e4m3fn, e4m3fnuz, e5m2,
// e5m2fnuz.
//
//   name       bias  largest  infinity  NaN          zero
//   e4m3fn     7     448      none      S.1111.111   +0, -0
//   e4m3fnuz   8     240      none      0x80         +0
//   e5m2       15    57344    yes       S.11111.xx   +0, -0
//   e5m2fnuz   16    57344    none      0x80         +0
//
// Widening is exact. Narrowing rounds to nearest even; what then exceeds the largest number becomes
// the largest number (`_saturate`: infinity too) or else infinity, or NaN in formats without one.
// NaN stays NaN.
//
// And e8m0: the exponent of a scale, which has neither sign nor zero; 255 is NaN. Narrowing rounds
// the magnitude up to a power of two, what is smaller than 2^-127 becomes that; beyond 2^127 is
// NaN, or
// (`_saturate`) 2^127. Infinities and NaN are NaN.
#ifndef BURIN_RT_FLOAT8_H
#define BURIN_RT_FLOAT8_H

#include "bits.h"
#include "half.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// `overflow`: the code for an unsaturated overflow, sign aside; kUnsignedZero: one zero, NaN is
// 0x80.
template <uint32_t kMantissaBits, uint32_t kBias, uint32_t kLargest, uint32_t kOverflow,
          bool kUnsignedZero>
struct Float8 {
  static inline float widen(uint8_t code) {
    const uint32_t magnitude = code & 0x7fu;
    const uint32_t shifted = magnitude << (23u - kMantissaBits);
    const uint32_t rebias = (127u - kBias) << 23;
    // a subnormal number is read with the smallest normal exponent, whose hidden bit is then
    // subtracted
    const uint32_t subnormal = to_bits(f32_from_bits(shifted + rebias + 0x00800000u) -
                                       f32_from_bits(rebias + 0x00800000u));
    uint32_t bits = select(magnitude >> kMantissaBits == 0, subnormal, shifted + rebias);
    bits |= (code & 0x80u) << 24;
    if (kUnsignedZero) return f32_from_bits(select(code == 0x80u, 0x7fc00000u, bits));
    const bool infinite = kOverflow != 0x7fu && magnitude == kOverflow;
    bits = select(magnitude > kLargest, 0x7fc00000u | (bits & 0x80000000u), bits);
    return f32_from_bits(select(infinite, 0x7f800000u | (bits & 0x80000000u), bits));
  }

  static inline uint8_t narrow(float x, bool saturate) {
    const uint32_t bits = to_bits(x);
    const uint32_t magnitude = bits & 0x7fffffffu;
    const uint32_t dropped = 23u - kMantissaBits;
    const uint32_t smallest_normal = (128u - kBias) << 23;
    const uint32_t odd = (magnitude >> dropped) & 1u;
    const uint32_t normal =
        (magnitude - ((127u - kBias) << 23) + ((1u << (dropped - 1u)) - 1u) + odd) >> dropped;
    // a power of two whose last place is the smallest subnormal
    const uint32_t aligner = (128u - kBias + dropped) << 23;
    const uint32_t subnormal = to_bits(f32_from_bits(magnitude) + f32_from_bits(aligner)) - aligner;
    uint32_t code = select(magnitude < smallest_normal, subnormal, normal);
    const uint32_t limit = select(saturate, kLargest, kOverflow);
    code = select((code > kLargest) & (magnitude >= smallest_normal), limit, code);
    const bool overflowed = code == kOverflow && !saturate;
    uint32_t sign = (bits >> 24) & 0x80u;
    if (kUnsignedZero) {
      sign = select((code == 0) | overflowed, 0u, sign);
      code = select(overflowed | (x != x), 0x80u, code | sign);
      return static_cast<uint8_t>(code);
    }
    return static_cast<uint8_t>(select(x != x, 0x7fu, code) | sign);
  }
};

// The unsigned-zero formats use all 127 codes; 0x80 marks their overflow.
using E4m3fn = Float8<3, 7, 0x7e, 0x7f, false>;
using E4m3fnuz = Float8<3, 8, 0x7f, 0x80, true>;
using E5m2 = Float8<2, 15, 0x7b, 0x7c, false>;
using E5m2fnuz = Float8<2, 16, 0x7f, 0x80, true>;

}  // namespace detail

static inline float f8e8m0_to_f32(uint8_t x) {
  const uint32_t code = x;
  const uint32_t smallest = select(code == 0, 0x00400000u, code << 23);
  return f32_from_bits(select(code == 255u, 0x7fc00000u, smallest));
}
static inline uint8_t f32_to_f8e8m0(float x) {
  const uint32_t magnitude = to_bits(x) & 0x7fffffffu;
  const uint32_t code = select(magnitude <= 0x00400000u, 0u, (magnitude + 0x007fffffu) >> 23);
  return static_cast<uint8_t>(select(magnitude >= 0x7f800000u, 255u, code));
}
static inline uint8_t f32_to_f8e8m0_saturate(float x) {
  const uint32_t magnitude = to_bits(x) & 0x7fffffffu;
  const bool beyond = (magnitude > 0x7f000000u) & (magnitude < 0x7f800000u);
  return static_cast<uint8_t>(select(beyond, 254u, static_cast<uint32_t>(f32_to_f8e8m0(x))));
}

static inline float f8e4m3fn_to_f32(uint8_t x) { return detail::E4m3fn::widen(x); }
static inline float f8e4m3fnuz_to_f32(uint8_t x) { return detail::E4m3fnuz::widen(x); }
static inline float f8e5m2_to_f32(uint8_t x) { return detail::E5m2::widen(x); }
static inline float f8e5m2fnuz_to_f32(uint8_t x) { return detail::E5m2fnuz::widen(x); }

static inline uint8_t f32_to_f8e4m3fn(float x) { return detail::E4m3fn::narrow(x, false); }
static inline uint8_t f32_to_f8e4m3fnuz(float x) { return detail::E4m3fnuz::narrow(x, false); }
static inline uint8_t f32_to_f8e5m2(float x) { return detail::E5m2::narrow(x, false); }
static inline uint8_t f32_to_f8e5m2fnuz(float x) { return detail::E5m2fnuz::narrow(x, false); }

static inline uint8_t f32_to_f8e4m3fn_saturate(float x) { return detail::E4m3fn::narrow(x, true); }
static inline uint8_t f32_to_f8e4m3fnuz_saturate(float x) {
  return detail::E4m3fnuz::narrow(x, true);
}
static inline uint8_t f32_to_f8e5m2_saturate(float x) { return detail::E5m2::narrow(x, true); }
static inline uint8_t f32_to_f8e5m2fnuz_saturate(float x) {
  return detail::E5m2fnuz::narrow(x, true);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FLOAT8_H
