// SPDX-License-Identifier: MIT-0
// Multiply and add with a rounding that does not depend on -ffp-contract, and limits.
//
// A compiler that is allowed to contract turns a*b+c into one rounding wherever it sees fit. Where
// the target has a fused instruction, madd() asks for it by name; where it has none, a*b+c cannot
// be contracted. Either way the flag changes nothing. Code in runtime_min therefore never adds the
// result of a `*` that is inexact, except through madd() or product().
//
// BURIN_RT_HOST_FMA: a hosted program (the generator, which evaluates models while it works)
// defines it to get the rounding of fused targets on every machine; it then needs the C library's
// fma.
#ifndef BURIN_RT_FMA_H
#define BURIN_RT_FMA_H

#include "bits.h"
#include "tree.h"

#if defined(__ARM_FEATURE_FMA) && defined(__ARM_FP)
#define BURIN_RT_ARM_FMA __ARM_FP  // bit 2: float, bit 3: double
#else
#define BURIN_RT_ARM_FMA 0
#endif
#if defined(BURIN_RT_HOST_FMA) || defined(__FMA__) || defined(__AVX512F__) || \
    defined(__aarch64__) || defined(__FP_FAST_FMA) || defined(__riscv_d) ||   \
    (BURIN_RT_ARM_FMA & 8) != 0
#define BURIN_RT_FMA64 1
#else
#define BURIN_RT_FMA64 0
#endif
#if BURIN_RT_FMA64 || (BURIN_RT_ARM_FMA & 4) != 0 || defined(__FP_FAST_FMAF) || \
    defined(__riscv_f) || defined(__hexagon__)
#define BURIN_RT_FMA32 1
#else
#define BURIN_RT_FMA32 0
#endif
// clang may turn __builtin_fma into a call that could set errno (bare-metal targets); this form it
// may not.
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_fma)
#define BURIN_RT_ELEMENTWISE_FMA 1
#endif
#endif

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// a*b + c: fused where the target has it, else rounded twice.
static inline float madd(float a, float b, float c) {
#if defined(__hexagon__)
  return __builtin_HEXAGON_F2_sffma(c, a, b);  // where __builtin_fmaf calls the C library
#elif BURIN_RT_FMA32 && defined(BURIN_RT_ELEMENTWISE_FMA)
  return __builtin_elementwise_fma(a, b, c);
#elif BURIN_RT_FMA32
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
static inline double madd(double a, double b, double c) {
#if BURIN_RT_FMA64 && defined(BURIN_RT_ELEMENTWISE_FMA)
  return __builtin_elementwise_fma(a, b, c);
#elif BURIN_RT_FMA64
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// a*b + c rounded once on every target. Where none of its instructions does that: the product is
// exact in double, and a sum there whose last bit says that it is not exact rounds to what the
// exact one does (Boldo and Melquiond, Emulation of FMA and correctly rounded sums: rounding to
// odd).
static inline float multiply_add(float a, float b, float c) {
#if BURIN_RT_FMA32
  return madd(a, b, c);
#else
  const double product = static_cast<double>(a) * static_cast<double>(b),
               other = static_cast<double>(c), sum = product + other, part = sum - product,
               error = (product - (sum - part)) + (other - part);
  uint64_t bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  // Towards where the error lies, if the last bit is even.
  if (error < 0 || error > 0) {
    if ((bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : ~uint64_t{0};
  }
  double odd;
  __builtin_memcpy(&odd, &bits, sizeof odd);
  return static_cast<float>(odd);
#endif
}

// a*b rounded, which no compiler may fuse with a later addition. A product of -0 may come out as
// +0.
static inline float product(float a, float b) {
#if BURIN_RT_FMA32
  return madd(a, b, 0.0f);
#else
  return a * b;
#endif
}
static inline double product(double a, double b) {
#if BURIN_RT_FMA64
  return madd(a, b, 0.0);
#else
  return a * b;
#endif
}

// What functions are written with that floats and vectors of them share (lane_functions.h): numbers
// and bits as F, half of a two's complement number; a < b ? x : y.
template <class F>
struct FloatOf;
template <>
struct FloatOf<float> {
  static inline float number(float x) { return x; }
  static inline float bits(uint32_t x) { return f32_from_bits(x); }
  static inline uint32_t half(uint32_t x) {
    return static_cast<uint32_t>(static_cast<int32_t>(x) >> 1);
  }
};
static inline float select_less(float a, float b, float x, float y) { return select(a < b, x, y); }

// x limited to [low, high]; NaN stays NaN.
template <class F>
BURIN_RT_INLINE F clamp(F x, float low, float high) {
  const F least = FloatOf<F>::number(low), most = FloatOf<F>::number(high);
  const F raised = select_less(x, least, least, x);
  return select_less(most, raised, most, raised);
}
static inline double clamp(double x, double low, double high) {
  const double raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FMA_H
