// SPDX-License-Identifier: MIT-0
// Bits of floating-point numbers: casts, classification, signs, branch-free selection, counting.
//
// Everything in runtime_min starts here. Two properties are wanted of all of it: a simple loop that
// calls a function must vectorise, and the result must not depend on compiler flags. So choices are
// made with masks (a `?:` on floats may become a jump, which a compiler that honours floating-point
// traps will not vectorise), and fused multiply-adds are written out (see fma.h).
#ifndef BURIN_RT_BITS_H
#define BURIN_RT_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"

#if defined(__FAST_MATH__)
#error "burin: -ffast-math breaks NaN, infinity and rounding here; build without it"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "burin: x87 arithmetic rounds twice; build with -msse2 -mfpmath=sse"
#endif

// A microkernel keeps its accumulators in registers only if every operation is inlined, at -O1 too.
#define BURIN_RT_INLINE static inline __attribute__((always_inline))

namespace burin_rt {
inline namespace BURIN_RT_TREE {

static inline uint32_t to_bits(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline uint64_t to_bits(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline float f32_from_bits(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
static inline double f64_from_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static inline float f32_infinity() { return f32_from_bits(0x7f800000u); }
static inline double f64_infinity() { return f64_from_bits(0x7ff0000000000000u); }
static inline float f32_nan() { return f32_from_bits(0x7fc00000u); }
static inline double f64_nan() { return f64_from_bits(0x7ff8000000000000u); }

static inline bool isnan(float x) { return x != x; }
static inline bool isnan(double x) { return x != x; }
static inline bool isinf(float x) { return (to_bits(x) & 0x7fffffffu) == 0x7f800000u; }
static inline bool isinf(double x) {
  return (to_bits(x) & 0x7fffffffffffffffu) == 0x7ff0000000000000u;
}
static inline bool isfinite(float x) { return (to_bits(x) & 0x7fffffffu) < 0x7f800000u; }
static inline bool isfinite(double x) {
  return (to_bits(x) & 0x7fffffffffffffffu) < 0x7ff0000000000000u;
}
static inline bool signbit(float x) { return (to_bits(x) >> 31) != 0; }
static inline bool signbit(double x) { return (to_bits(x) >> 63) != 0; }

static inline float abs(float x) { return f32_from_bits(to_bits(x) & 0x7fffffffu); }
static inline double abs(double x) { return f64_from_bits(to_bits(x) & 0x7fffffffffffffffu); }
static inline float copysign(float magnitude, float sign) {
  return f32_from_bits((to_bits(magnitude) & 0x7fffffffu) | (to_bits(sign) & 0x80000000u));
}
static inline double copysign(double magnitude, double sign) {
  return f64_from_bits((to_bits(magnitude) & 0x7fffffffffffffffu) |
                       (to_bits(sign) & 0x8000000000000000u));
}

// c ? a : b, both evaluated. Never a jump, so that loops become vectors; where size counts they do
// not, and a jump, or an instruction under a condition, is shorter.
#if defined(__OPTIMIZE_SIZE__)
#define BURIN_RT_CHOOSE(c, a, b, masked) ((c) ? (a) : (b))
#else
#define BURIN_RT_CHOOSE(c, a, b, masked) (masked)
#endif
static inline uint32_t select(bool c, uint32_t a, uint32_t b) {
  [[maybe_unused]] const uint32_t mask = 0u - static_cast<uint32_t>(c);
  return BURIN_RT_CHOOSE(c, a, b, (a & mask) | (b & ~mask));
}
static inline uint64_t select(bool c, uint64_t a, uint64_t b) {
  [[maybe_unused]] const uint64_t mask = uint64_t{0} - static_cast<uint64_t>(c);
  return BURIN_RT_CHOOSE(c, a, b, (a & mask) | (b & ~mask));
}
// Two literals, where uint32_t is another type of 32 bits than theirs (newlib's unsigned long).
template <class I>
static inline uint32_t select(bool c, I a, I b) {
  static_assert(sizeof(I) == 4, "another type of 32 bits");
  return select(c, static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}
static inline float select(bool c, float a, float b) {
  return BURIN_RT_CHOOSE(c, a, b, f32_from_bits(select(c, to_bits(a), to_bits(b))));
}
static inline double select(bool c, double a, double b) {
  return BURIN_RT_CHOOSE(c, a, b, f64_from_bits(select(c, to_bits(a), to_bits(b))));
}

// The last bit of `odd` chooses: a for 1, b for 0. (A test of one bit is what GCC does not
// vectorise.)
static inline double select_by_bit(uint32_t odd, double a, double b) {
  const uint64_t mask = uint64_t{0} - (odd & 1u);
  return f64_from_bits((to_bits(a) & mask) | (to_bits(b) & ~mask));
}

// Number of one bits (SWAR: pairs, nibbles, then a multiplication adds the bytes).
static inline uint32_t popcount(uint32_t x) {
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  return (x * 0x01010101u) >> 24;
}
static inline uint32_t popcount(uint64_t x) {
  return popcount(static_cast<uint32_t>(x)) + popcount(static_cast<uint32_t>(x >> 32));
}

// Number of leading zero bits; the width of the type for zero.
static inline uint32_t count_leading_zeros(uint32_t x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  return 32u - popcount(x);
}
static inline uint32_t count_leading_zeros(uint64_t x) {
  const uint32_t high = static_cast<uint32_t>(x >> 32);
  const uint32_t low = static_cast<uint32_t>(x);
  const uint32_t in_high = count_leading_zeros(high);
  return in_high + static_cast<uint32_t>(select(high == 0, count_leading_zeros(low), 0u));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_BITS_H
