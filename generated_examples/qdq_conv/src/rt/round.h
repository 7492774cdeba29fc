// SPDX-License-Identifier: MIT-0
// Rounding to an integral value: floor, ceil, trunc, round_half_even, round_half_away, for float
// and double. Exact. Signed zeros, infinities and NaN come through as in IEEE 754.
//
// Targets with rounding instructions use them; elsewhere adding and subtracting 2^(precision-1)
// rounds to nearest even, and one comparison corrects the direction. The rounding mode must be to
// nearest.
#ifndef BURIN_RT_ROUND_H
#define BURIN_RT_ROUND_H

#include "bits.h"
#include "tree.h"

#if defined(__SSE4_1__) || defined(__aarch64__) || defined(__ARM_FEATURE_DIRECTED_ROUNDING)
#define BURIN_RT_NEAREST_INSTRUCTION 1
#else
#define BURIN_RT_NEAREST_INSTRUCTION 0
#endif
// GCC on x86 vectorises the nearest-even instruction but, unless told -fno-trapping-math, not the
// directed ones.
#if BURIN_RT_NEAREST_INSTRUCTION && (defined(__clang__) || !defined(__SSE4_1__))
#define BURIN_RT_DIRECTED_INSTRUCTIONS 1
#else
#define BURIN_RT_DIRECTED_INSTRUCTIONS 0
#endif

namespace burin_rt {
inline namespace BURIN_RT_TREE {

#if BURIN_RT_NEAREST_INSTRUCTION
static inline float round_half_even(float x) { return __builtin_rintf(x); }
static inline double round_half_even(double x) { return __builtin_rint(x); }
#else
static inline float round_half_even(float x) {
  const float a = abs(x);
  const float rounded = (a + 8388608.0f) - 8388608.0f;
  return copysign(select(a < 8388608.0f, rounded, a), x);
}
static inline double round_half_even(double x) {
  const double a = abs(x);
  const double rounded = (a + 4503599627370496.0) - 4503599627370496.0;
  return copysign(select(a < 4503599627370496.0, rounded, a), x);
}
#endif

#if BURIN_RT_DIRECTED_INSTRUCTIONS
static inline float floor(float x) { return __builtin_floorf(x); }
static inline double floor(double x) { return __builtin_floor(x); }
static inline float ceil(float x) { return __builtin_ceilf(x); }
static inline double ceil(double x) { return __builtin_ceil(x); }
static inline float trunc(float x) { return __builtin_truncf(x); }
static inline double trunc(double x) { return __builtin_trunc(x); }
#else
static inline float floor(float x) {
  const float r = round_half_even(x);
  return copysign(r - select(r > x, 1.0f, 0.0f), x);
}
static inline double floor(double x) {
  const double r = round_half_even(x);
  return copysign(r - select(r > x, 1.0, 0.0), x);
}
static inline float ceil(float x) {
  const float r = round_half_even(x);
  return copysign(r + select(r < x, 1.0f, 0.0f), x);
}
static inline double ceil(double x) {
  const double r = round_half_even(x);
  return copysign(r + select(r < x, 1.0, 0.0), x);
}
static inline float trunc(float x) { return copysign(floor(abs(x)), x); }
static inline double trunc(double x) { return copysign(floor(abs(x)), x); }
#endif

// Halves away from zero.
static inline float round_half_away(float x) {
  const float a = abs(x);
  const float t = floor(a);
  return copysign(t + select(a - t >= 0.5f, 1.0f, 0.0f), x);
}
static inline double round_half_away(double x) {
  const double a = abs(x);
  const double t = floor(a);
  return copysign(t + select(a - t >= 0.5, 1.0, 0.0), x);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_ROUND_H
