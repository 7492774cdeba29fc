// SPDX-License-Identifier: MIT-0
// Short vectors of floats, 4, 8 or 16 lanes, for the microkernels of matrix products.
//
// A FloatVector as wide as the target's registers, or narrower, is one GCC/clang vector; a wider
// one is two halves. Where there are no vector registers, a register is a float: a vector type
// would lie in memory, and be taken apart for each operation. The results are the same on every
// target, except that madd() rounds once where there is a fused instruction (fma.h), and then needs
// the target's builtin, because a*b + c must not depend on -ffp-contract.
#ifndef BURIN_RT_VEC_H
#define BURIN_RT_VEC_H

#include "fma.h"
#include "tree.h"

// Not inlined: the loops of a tile need every register, and share none with what is around them.
// One for all kernels of a tree where size counts: linkers keep one of equal functions that are not
// static.
#if defined(__OPTIMIZE_SIZE__)
#define BURIN_RT_APART inline __attribute__((noinline))
#else
#define BURIN_RT_APART static __attribute__((noinline))
#endif
#define BURIN_RT_INLINE_MEMBER inline __attribute__((always_inline))

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__AVX512F__)
constexpr int kRegisterLanes = 16;
#elif defined(__AVX__)
constexpr int kRegisterLanes = 8;
#elif defined(__SSE__) || defined(__ARM_NEON) || defined(__ALTIVEC__) || defined(__wasm_simd128__)
constexpr int kRegisterLanes = 4;
#else
constexpr int kRegisterLanes = 1;
#endif

template <int kLanes>
struct Register {
  typedef float Type __attribute__((vector_size(4u * unsigned{kLanes})));
};
template <>
struct Register<1> {
  typedef float Type;
};

}  // namespace detail

template <int kLanes, bool kWhole = (kLanes <= detail::kRegisterLanes)>
struct FloatVector;  // two halves
template <int kLanes>
struct FloatVector<kLanes, true> {
  typename detail::Register<kLanes>::Type lanes;
};
template <int kLanes>
struct FloatVector<kLanes, false> {
  FloatVector<kLanes / 2> low;
  FloatVector<kLanes / 2> high;
};

namespace detail {

using Whole1 = FloatVector<1, true>;
BURIN_RT_INLINE Whole1 fused(Whole1 a, Whole1 b, Whole1 c) {
  return {madd(a.lanes, b.lanes, c.lanes)};
}

using Whole4 = FloatVector<4, true>;

BURIN_RT_INLINE Whole4 fused(Whole4 a, Whole4 b, Whole4 c) {
#if !BURIN_RT_FMA32
  return {a.lanes * b.lanes + c.lanes};
#elif defined(__FMA__)
  return {__builtin_ia32_vfmaddps(a.lanes, b.lanes, c.lanes)};
#elif defined(__aarch64__) && !defined(__clang__)
  return {__builtin_aarch64_fmav4sf(a.lanes, b.lanes, c.lanes)};
#elif defined(__aarch64__) && __clang_major__ < 16
  typedef __attribute__((neon_vector_type(16))) signed char Bytes;
  typedef __attribute__((neon_vector_type(4))) float Lanes;
  Bytes x, y, z;
  __builtin_memcpy(&x, &a, sizeof x);
  __builtin_memcpy(&y, &b, sizeof y);
  __builtin_memcpy(&z, &c, sizeof z);
  const Lanes sum = (Lanes)__builtin_neon_vfmaq_v(z, y, x, 41);  // 41: four floats
  __builtin_memcpy(&c, &sum, sizeof c);
  return c;
#elif defined(__clang__) && __clang_major__ >= 16
  return {__builtin_elementwise_fma(a.lanes, b.lanes, c.lanes)};
#else
  for (int i = 0; i < 4; ++i) c.lanes[i] = madd(a.lanes[i], b.lanes[i], c.lanes[i]);
  return c;
#endif
}
#if defined(__AVX__)
using Whole8 = FloatVector<8, true>;
BURIN_RT_INLINE Whole8 fused(Whole8 a, Whole8 b, Whole8 c) {
#if defined(__FMA__)
  return {__builtin_ia32_vfmaddps256(a.lanes, b.lanes, c.lanes)};
#else
  for (int i = 0; i < 8; ++i) c.lanes[i] = madd(a.lanes[i], b.lanes[i], c.lanes[i]);
  return c;
#endif
}
#endif
#if defined(__AVX512F__)
using Whole16 = FloatVector<16, true>;
BURIN_RT_INLINE Whole16 fused(Whole16 a, Whole16 b, Whole16 c) {
#if defined(__clang__) && __clang_major__ >= 16
  return {__builtin_elementwise_fma(a.lanes, b.lanes, c.lanes)};
#elif defined(__clang__)
  return {__builtin_ia32_vfmaddps512_mask(a.lanes, b.lanes, c.lanes, 0xffff, 4)};
#else
  return {__builtin_ia32_vfmaddps512_mask(a.lanes, b.lanes, c.lanes, -1, 4)};  // all lanes
#endif
}
#endif

// Operations on whole registers and on pairs of halves, one pattern for all.
#define BURIN_RT_VECTOR_OPERATION(name, expression)                                      \
  template <int kLanes>                                                                  \
  BURIN_RT_INLINE FloatVector<kLanes, true> name(FloatVector<kLanes, true> a,            \
                                                 FloatVector<kLanes, true> b) {          \
    return {expression};                                                                 \
  }                                                                                      \
  template <int kLanes>                                                                  \
  BURIN_RT_INLINE FloatVector<kLanes, false> name(const FloatVector<kLanes, false>& a,   \
                                                  const FloatVector<kLanes, false>& b) { \
    return {name(a.low, b.low), name(a.high, b.high)};                                   \
  }

}  // namespace detail

BURIN_RT_VECTOR_OPERATION(operator+, a.lanes + b.lanes)
BURIN_RT_VECTOR_OPERATION(operator-, a.lanes - b.lanes)
BURIN_RT_VECTOR_OPERATION(operator*, a.lanes* b.lanes)
BURIN_RT_VECTOR_OPERATION(operator/, a.lanes / b.lanes)
// The larger and smaller in each lane, and b where either is NaN: larger(limit, x) keeps the NaN of
// x.
BURIN_RT_VECTOR_OPERATION(larger, a.lanes > b.lanes ? a.lanes : b.lanes)
BURIN_RT_VECTOR_OPERATION(smaller, a.lanes < b.lanes ? a.lanes : b.lanes)
// As maximum() and minimum() of elementary.h: NaN where either is NaN.
BURIN_RT_VECTOR_OPERATION(greatest,
                          ((a.lanes <= b.lanes) | (b.lanes != b.lanes)) ? b.lanes : a.lanes)
BURIN_RT_VECTOR_OPERATION(least, ((a.lanes >= b.lanes) | (b.lanes != b.lanes)) ? b.lanes : a.lanes)
#undef BURIN_RT_VECTOR_OPERATION

// a*b + c in each lane.
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, true> madd(FloatVector<kLanes, true> a,
                                               FloatVector<kLanes, true> b,
                                               FloatVector<kLanes, true> c) {
  return detail::fused(a, b, c);
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes, false> madd(const FloatVector<kLanes, false>& a,
                                                const FloatVector<kLanes, false>& b,
                                                const FloatVector<kLanes, false>& c) {
  return {madd(a.low, b.low, c.low), madd(a.high, b.high, c.high)};
}

// From and to any address of a float. One float is no bytes to copy: compilers would take these
// through a register of integers.
namespace detail {
BURIN_RT_INLINE void load_into(Whole1& v, const float* p) { v.lanes = *p; }
template <int kLanes>
BURIN_RT_INLINE void load_into(FloatVector<kLanes, true>& v, const float* p) {
  __builtin_memcpy(&v.lanes, p, sizeof v.lanes);
}
template <int kLanes>
BURIN_RT_INLINE void load_into(FloatVector<kLanes, false>& v, const float* p) {
  load_into(v.low, p);
  load_into(v.high, p + kLanes / 2);
}
}  // namespace detail
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> load(const float* p) {
  FloatVector<kLanes> v;
  detail::load_into(v, p);
  return v;
}
BURIN_RT_INLINE void store(float* p, const detail::Whole1& v) { *p = v.lanes; }
template <int kLanes>
BURIN_RT_INLINE void store(float* p, const FloatVector<kLanes, true>& v) {
  __builtin_memcpy(p, &v.lanes, sizeof v.lanes);
}
template <int kLanes>
BURIN_RT_INLINE void store(float* p, const FloatVector<kLanes, false>& v) {
  store(p, v.low);
  store(p + kLanes / 2, v.high);
}

// All lanes x. (x - 0 is x, signed zeros included; 0 + x is not.)
namespace detail {
BURIN_RT_INLINE void fill(FloatVector<1, true>& v, float x) { v.lanes = x; }
BURIN_RT_INLINE void fill(FloatVector<4, true>& v, float x) { v.lanes = x - Register<4>::Type{}; }
#if defined(__AVX__)
BURIN_RT_INLINE void fill(FloatVector<8, true>& v, float x) { v.lanes = x - Register<8>::Type{}; }
#endif
#if defined(__AVX512F__)
BURIN_RT_INLINE void fill(FloatVector<16, true>& v, float x) { v.lanes = x - Register<16>::Type{}; }
#endif
template <int kLanes>
BURIN_RT_INLINE void fill(FloatVector<kLanes, false>& v, float x) {
  fill(v.low, x);
  fill(v.high, x);
}
}  // namespace detail
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> broadcast(float x) {
  FloatVector<kLanes> v;
  detail::fill(v, x);
  return v;
}

// c + a[0] * b[j] in each lane j.
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> add_product(const FloatVector<kLanes>& c, const float* a,
                                                const float* b) {
  return madd(broadcast<kLanes>(*a), load<kLanes>(b), c);
}

// The sum of all lanes, as if halves were added until one lane is left: the same tree everywhere.
template <int kLanes>
BURIN_RT_INLINE float sum_lanes(const FloatVector<kLanes, true>& v) {
  float lanes[sizeof v / sizeof(float)];
  store(lanes, v);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}
template <int kLanes>
BURIN_RT_INLINE float sum_lanes(const FloatVector<kLanes, false>& v) {
  return sum_lanes(v.low + v.high);
}
template <int kLanes, bool kWhole>
BURIN_RT_INLINE void store_sum(float* p, const FloatVector<kLanes, kWhole>& v) {
  *p = sum_lanes(v);
}

// The greatest of all lanes, NaN where one is: halves in the same way.
template <int kLanes>
BURIN_RT_INLINE void store_greatest(float* p, const FloatVector<kLanes, true>& v) {
  float lanes[sizeof v / sizeof(float)];
  store(lanes, v);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i)
      lanes[i] = greatest(detail::Whole1{lanes[i]}, detail::Whole1{lanes[i + half]}).lanes;
  }
  *p = lanes[0];
}
template <int kLanes>
BURIN_RT_INLINE void store_greatest(float* p, const FloatVector<kLanes, false>& v) {
  store_greatest(p, greatest(v.low, v.high));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_VEC_H
