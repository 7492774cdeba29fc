// SPDX-License-Identifier: MIT-0
// Halves as floats, rows of them and vectors: by the conversion instructions of x86-64 where a tree
// is compiled for them, which no compiler of today makes of a loop over halves; as half.h says
// elsewhere, with the same bits.
#ifndef BURIN_RT_WIDEN_H
#define BURIN_RT_WIDEN_H

#include "half.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

static inline void widen(const uint16_t* __restrict from, int64_t count, float* __restrict to) {
  int64_t begin = 0;
#if defined(__F16C__)
  begin = count / 8 * 8;
  typedef short Halves __attribute__((vector_size(16)));
  typedef float Floats __attribute__((vector_size(32)));
  for (int64_t i = 0; i < begin; i += 8) {
    Halves halves;
    __builtin_memcpy(&halves, from + i, sizeof halves);
    const Floats floats = __builtin_ia32_vcvtph2ps256(halves);
    __builtin_memcpy(to + i, &floats, sizeof floats);
  }
#endif
  for (int64_t i = begin; i < count; ++i) to[i] = f16_to_f32(from[i]);
}

namespace detail {

#if defined(__F16C__)
typedef short Halves8 __attribute__((vector_size(16)));
BURIN_RT_INLINE Halves8 halves_at(const uint16_t* from, unsigned bytes) {
  Halves8 halves = {};
  __builtin_memcpy(&halves, from, bytes);
  return halves;
}
// A half in all lanes: converted as a vector, it takes no way through a register of integers.
BURIN_RT_INLINE Halves8 halves_of(const uint16_t* from) {
  short half;
  __builtin_memcpy(&half, from, sizeof half);
  return half - Halves8{};
}
BURIN_RT_INLINE void widen_into(FloatVector<4, true>& v, const uint16_t* from) {
  v.lanes = __builtin_ia32_vcvtph2ps(halves_at(from, 8));
}
BURIN_RT_INLINE void widen_into(FloatVector<8, true>& v, const uint16_t* from) {
  v.lanes = __builtin_ia32_vcvtph2ps256(halves_at(from, 16));
}
BURIN_RT_INLINE void fill_widened(FloatVector<4, true>& v, const uint16_t* from) {
  v.lanes = __builtin_ia32_vcvtph2ps(halves_of(from));
}
BURIN_RT_INLINE void fill_widened(FloatVector<8, true>& v, const uint16_t* from) {
  v.lanes = __builtin_ia32_vcvtph2ps256(halves_of(from));
}
#if defined(__AVX512F__)
typedef short Halves16 __attribute__((vector_size(32)));
BURIN_RT_INLINE void widen_into(FloatVector<16, true>& v, const uint16_t* from) {
  Halves16 halves;
  __builtin_memcpy(&halves, from, sizeof halves);
  v.lanes = __builtin_ia32_vcvtph2ps512_mask(halves, Register<16>::Type{}, -1, 4);
}
BURIN_RT_INLINE void fill_widened(FloatVector<16, true>& v, const uint16_t* from) {
  short half;
  __builtin_memcpy(&half, from, sizeof half);
  const Halves16 halves = half - Halves16{};
  v.lanes = __builtin_ia32_vcvtph2ps512_mask(halves, Register<16>::Type{}, -1, 4);
}
#endif
#else
template <int kLanes>
BURIN_RT_INLINE void widen_into(FloatVector<kLanes, true>& v, const uint16_t* from) {
#if defined(__aarch64__)
  typedef __fp16 Halves __attribute__((vector_size(8)));
  Halves halves;
  __builtin_memcpy(&halves, from, sizeof halves);
  v.lanes = __builtin_convertvector(halves, typename Register<kLanes>::Type);
#else
  float lanes[unsigned{kLanes}];
  for (int i = 0; i < kLanes; ++i) lanes[i] = f16_to_f32(from[i]);
  load_into(v, lanes);
#endif
}
template <int kLanes>
BURIN_RT_INLINE void fill_widened(FloatVector<kLanes, true>& v, const uint16_t* from) {
  fill(v, f16_to_f32(*from));
}
#endif
template <int kLanes>
BURIN_RT_INLINE void widen_into(FloatVector<kLanes, false>& v, const uint16_t* from) {
  widen_into(v.low, from);
  widen_into(v.high, from + kLanes / 2);
}
template <int kLanes>
BURIN_RT_INLINE void fill_widened(FloatVector<kLanes, false>& v, const uint16_t* from) {
  fill_widened(v.low, from);
  v.high = v.low;
}

}  // namespace detail

// From memory, one for each lane, and one for all.
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> load_widened(const uint16_t* from) {
  FloatVector<kLanes> v;
  detail::widen_into(v, from);
  return v;
}
template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> broadcast_widened(const uint16_t* from) {
  FloatVector<kLanes> v;
  detail::fill_widened(v, from);
  return v;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_WIDEN_H
