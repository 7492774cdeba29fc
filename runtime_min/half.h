// SPDX-License-Identifier: MIT-0
// Sixteen-bit floating-point numbers: IEEE 754 binary16 ("f16") and bfloat16 ("bf16"), stored as
// uint16_t.
//
// Widening is exact, NaN payloads included (a signalling NaN becomes quiet, as the hardware's
// conversions do). Narrowing rounds to nearest even, overflows to infinity, and keeps subnormal
// numbers. Integer arithmetic and selects only: branch-free, vectorises; aarch64, and Arm of 32
// bits where it has them, use their conversion instructions for f16. From double there is one
// rounding, not two: the float in between is rounded to odd.
#ifndef BURIN_RT_HALF_H
#define BURIN_RT_HALF_H

#include "bits.h"
#include "tree.h"

// Their type (__fp16) is there only by a flag of the compiler, the instructions always.
#if defined(__arm__) && defined(__ARM_FP) && (__ARM_FP & 2)
#define BURIN_RT_ARM_HALVES 1
#else
#define BURIN_RT_ARM_HALVES 0
#endif

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// The float next to x towards zero, with its last bit set if that lost anything. Rounding it again
// to at most 22 bits gives what rounding x directly would (Boldo and Melquiond, round to odd).
static inline float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  const double back = static_cast<double>(nearest);
  const uint32_t bits = to_bits(nearest);
  const uint32_t toward_zero = bits - select(abs(back) > abs(x), 1u, 0u);
  return f32_from_bits(select((back != x) & (x == x), toward_zero | 1u, bits));
}

}  // namespace detail

static inline float f16_to_f32(uint16_t h) {
#if defined(__aarch64__)
  __fp16 x;
  __builtin_memcpy(&x, &h, sizeof x);
  return static_cast<float>(x);
#elif BURIN_RT_ARM_HALVES
  float x;
  __asm__("vcvtb.f32.f16 %0, %1" : "=t"(x) : "t"(f32_from_bits(h)));
  return x;
#else
  const uint32_t word = h;
  const uint32_t magnitude = (word & 0x7fffu) << 13;
  const uint32_t normal = magnitude + (112u << 23);  // exponent bias 15 becomes 127
  const uint32_t quiet = select(magnitude > 0x0f800000u, 0x00400000u, 0u);
  const uint32_t special = (magnitude + (224u << 23)) | quiet;
  const uint32_t subnormal =
      to_bits(f32_from_bits(magnitude + (113u << 23)) - f32_from_bits(113u << 23));
  const uint32_t finite = select(magnitude < 0x00800000u, subnormal, normal);
  return f32_from_bits(select(magnitude >= 0x0f800000u, special, finite) | (word & 0x8000u) << 16);
#endif
}

static inline uint16_t f32_to_f16(float x) {
#if defined(__aarch64__)
  const __fp16 rounded = static_cast<__fp16>(x);
  uint16_t h;
  __builtin_memcpy(&h, &rounded, sizeof h);
  return h;
#elif BURIN_RT_ARM_HALVES
  float h = 0;
  __asm__("vcvtb.f16.f32 %0, %1" : "+t"(h) : "t"(x));
  return static_cast<uint16_t>(to_bits(h));
#else
  const uint32_t bits = to_bits(x);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude - (112u << 23) + 0x0fffu + ((magnitude >> 13) & 1u)) >> 13;
  // below 2^-14: 0.5 has the last place 2^-24, the smallest subnormal, so the sum rounds there
  const uint32_t subnormal = to_bits(f32_from_bits(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t result = select(magnitude < 0x38800000u, subnormal, normal);
  result = select(magnitude >= 0x47800000u, 0x7c00u, result);
  result = select(magnitude > 0x7f800000u, 0x7e00u | ((magnitude >> 13) & 0x03ffu), result);
  return static_cast<uint16_t>(result | (bits >> 16 & 0x8000u));
#endif
}

static inline double f16_to_f64(uint16_t h) { return static_cast<double>(f16_to_f32(h)); }
static inline uint16_t f64_to_f16(double x) { return f32_to_f16(detail::round_to_odd(x)); }

static inline float bf16_to_f32(uint16_t b) {
  const uint32_t bits = static_cast<uint32_t>(b) << 16;
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return f32_from_bits(bits | select(nan, 0x00400000u, 0u));
}
static inline uint16_t f32_to_bf16(float x) {
  const uint32_t bits = to_bits(x);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<uint16_t>(select(x != x, (bits >> 16) | 0x0040u, rounded));
}
static inline double bf16_to_f64(uint16_t b) { return static_cast<double>(bf16_to_f32(b)); }
static inline uint16_t f64_to_bf16(double x) { return f32_to_bf16(detail::round_to_odd(x)); }

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_HALF_H
