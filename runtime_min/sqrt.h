// SPDX-License-Identifier: MIT-0
// Square root, correctly rounded, and its reciprocal, for float and double.
//
// Where the target has an instruction it is used. __builtin_sqrt may also call the C library, to
// set errno for negative numbers; that call is avoided in one of three ways, and only the first two
// vectorise: the compiler's errno-free form, -fno-math-errno, or the instruction itself. Elsewhere:
// integer arithmetic, one result bit per step (the schoolbook method), exact by construction.
//
// Largest error (ULP): sqrt 0.5; rsqrt 1.6.
#ifndef BURIN_RT_SQRT_H
#define BURIN_RT_SQRT_H

#include "bits.h"
#include "tree.h"

#if defined(__ARM_FP) && !defined(__aarch64__)
#define BURIN_RT_ARM_SQRT __ARM_FP  // bit 2: float, bit 3: double
#else
#define BURIN_RT_ARM_SQRT 0
#endif
#if defined(__SSE2__) || defined(__aarch64__) || defined(__riscv_d) || (BURIN_RT_ARM_SQRT & 8) != 0
#define BURIN_RT_SQRT64 1
#else
#define BURIN_RT_SQRT64 0
#endif
#if BURIN_RT_SQRT64 || defined(__riscv_f) || (BURIN_RT_ARM_SQRT & 4) != 0
#define BURIN_RT_SQRT32 1
#else
#define BURIN_RT_SQRT32 0
#endif
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_sqrt)
#define BURIN_RT_ELEMENTWISE_SQRT 1
#endif
#endif

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// The square root by digits of mantissa * 4^zero_pairs, where the mantissa has `pairs` pairs of
// bits and a one in the first: pairs + zero_pairs bits, rounded to one bit less. A tie is
// impossible, for an odd root has an odd square.
static inline uint64_t root_by_digits(uint64_t mantissa, uint32_t pairs, uint32_t zero_pairs) {
  uint64_t rest = 0;
  uint64_t root = 0;
  for (uint32_t i = 0; i < pairs + zero_pairs; ++i) {
    const uint64_t next = i < pairs ? (mantissa >> (2u * (pairs - 1u - i))) & 3u : 0u;
    rest = (rest << 2) | next;
    const uint64_t trial = (root << 2) | 1u;
    const bool fits = rest >= trial;
    rest -= select(fits, trial, uint64_t{0});
    root = (root << 1) | static_cast<uint64_t>(fits);
  }
  return (root + 1u) >> 1;
}

// The exponent is made even by a shift of 1 or 2 (float), 2 or 3 (double).
static inline float sqrt_by_digits(float x) {
  const uint32_t bits = to_bits(x);
  if (bits >= 0x7f800000u || bits == 0) {  // infinity, NaN, negative, zero
    return (bits << 1) == 0 || bits == 0x7f800000u || x != x ? x + x : f32_nan();
  }
  int32_t exponent = static_cast<int32_t>(bits >> 23);
  uint32_t mantissa = bits & 0x007fffffu;
  if (exponent == 0) {
    const uint32_t shift = count_leading_zeros(mantissa) - 8u;
    mantissa <<= shift;
    exponent = 1 - static_cast<int32_t>(shift);
  }
  const uint32_t shift = (exponent & 1) != 0 ? 1u : 2u;
  const uint64_t root =
      root_by_digits(static_cast<uint64_t>(mantissa | 0x00800000u) << shift, 13, 12);
  const int32_t root_exponent = (exponent - static_cast<int32_t>(shift)) / 2 + 64;
  return f32_from_bits((static_cast<uint32_t>(root_exponent - 1) << 23) +
                       static_cast<uint32_t>(root));
}
static inline double sqrt_by_digits(double x) {
  const uint64_t bits = to_bits(x);
  if (bits >= 0x7ff0000000000000u || bits == 0) {
    return (bits << 1) == 0 || bits == 0x7ff0000000000000u || x != x ? x + x : f64_nan();
  }
  int32_t exponent = static_cast<int32_t>(bits >> 52);
  uint64_t mantissa = bits & 0x000fffffffffffffu;
  if (exponent == 0) {
    const uint32_t shift = count_leading_zeros(mantissa) - 11u;
    mantissa <<= shift;
    exponent = 1 - static_cast<int32_t>(shift);
  }
  const uint32_t shift = (exponent & 1) != 0 ? 2u : 3u;
  const uint64_t root = root_by_digits((mantissa | 0x0010000000000000u) << shift, 28, 26);
  const int32_t root_exponent = (exponent - static_cast<int32_t>(shift) + 1025) / 2;
  return f64_from_bits((static_cast<uint64_t>(root_exponent - 1) << 52) + root);
}

}  // namespace detail

static inline float sqrt(float x) {
#if !BURIN_RT_SQRT32
  return detail::sqrt_by_digits(x);
#elif defined(BURIN_RT_ELEMENTWISE_SQRT)
  return __builtin_elementwise_sqrt(x);
#elif defined(__NO_MATH_ERRNO__)
  return __builtin_sqrtf(x);
#elif defined(__SSE2__)
  typedef float Vector __attribute__((vector_size(16)));
  const Vector v = {x, x, x, x};
  return __builtin_ia32_sqrtps(v)[0];
#else
  float root;
#if defined(__aarch64__)
  __asm__("fsqrt %s0, %s1" : "=w"(root) : "w"(x));
#elif defined(__riscv)
  __asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(x));
#else
  __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
#endif
  return root;
#endif
}

static inline double sqrt(double x) {
#if !BURIN_RT_SQRT64
  return detail::sqrt_by_digits(x);
#elif defined(BURIN_RT_ELEMENTWISE_SQRT)
  return __builtin_elementwise_sqrt(x);
#elif defined(__NO_MATH_ERRNO__)
  return __builtin_sqrt(x);
#elif defined(__SSE2__)
  typedef double Vector __attribute__((vector_size(16)));
  const Vector v = {x, x};
  return __builtin_ia32_sqrtpd(v)[0];
#else
  double root;
#if defined(__aarch64__)
  __asm__("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
#elif defined(__riscv)
  __asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(x));
#else
  __asm__("vsqrt.f64 %P0, %P1" : "=w"(root) : "w"(x));
#endif
  return root;
#endif
}

static inline float rsqrt(float x) { return 1.0f / sqrt(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_SQRT_H
