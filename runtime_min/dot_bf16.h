// SPDX-License-Identifier: MIT-0
// Dot products of bfloat16 into sums of floats, lane by lane: c[j] + a[0] * b[2j] + a[1] * b[2j +
// 1].
//
// Four rows at a time likewise, whose groups lie beside each other. Products of two are exact, sums
// are rounded one by one in the order that an instruction has: to the nearest by AVX512_BF16, to
// odd by Arm's, both of which take what is below 2^-126 for 0, factors, products and sums. Plain
// arithmetic everywhere else does neither.
#ifndef BURIN_RT_DOT_BF16_H
#define BURIN_RT_DOT_BF16_H

#include <stddef.h>
#include <stdint.h>

#include "dot.h"
#include "half.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// The instruction for these lanes, where there is one.
template <int kLanes>
struct DotOfBf16 {
  static BURIN_RT_INLINE_MEMBER FloatVector<kLanes> add(FloatVector<kLanes> c, const uint16_t* a,
                                                        const uint16_t* b) {
    const float first = bf16_to_f32(a[0]), second = bf16_to_f32(a[1]);
    float sums[size_t{kLanes}];
    store(sums, c);
    for (int j = 0; j < kLanes; ++j)
      sums[j] = (sums[j] + first * bf16_to_f32(b[2 * j])) + second * bf16_to_f32(b[2 * j + 1]);
    return load<kLanes>(sums);
  }
};

#if defined(__AVX512BF16__)
template <>
struct DotOfBf16<16> {
  static BURIN_RT_INLINE_MEMBER FloatVector<16> add(FloatVector<16> c, const uint16_t* a,
                                                    const uint16_t* b) {
    const IntVector<16>::Lanes group = IntVector<16>::Lanes{} + group_of(a),
                               pairs = lanes_of<16>(b);
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(c.lanes) : "v"(pairs), "v"(group));
    return c;
  }
};
#endif

#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC) && defined(__aarch64__)
template <>
struct DotOfBf16<4> {
  static BURIN_RT_INLINE_MEMBER FloatVector<4> add(FloatVector<4> c, const uint16_t* a,
                                                   const uint16_t* b) {
    const IntVector<4>::Lanes group = IntVector<4>::Lanes{} + group_of(a), pairs = lanes_of<4>(b);
    __asm__("bfdot %0.4s, %1.8h, %2.8h" : "+w"(c.lanes) : "w"(pairs), "w"(group));
    return c;
  }
};
#endif

}  // namespace detail

template <int kLanes>
BURIN_RT_INLINE FloatVector<kLanes> dot_bf16(FloatVector<kLanes> c, const uint16_t* a,
                                             const uint16_t* b) {
  return detail::DotOfBf16<kLanes>::add(c, a, b);
}

// c<i>[j] + sum over q < 2 of a[2 i + q] * b[2 j + q].
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC) && defined(__aarch64__)
#define BURIN_RT_DOT_OF_LANE(c, lane) \
  __asm__("bfdot %0.4s, %1.8h, %2.2h[" #lane "]" : "+w"(c.lanes) : "w"(pairs), "w"(groups))
BURIN_RT_INLINE void dot_rows_bf16(FloatVector<4>& c0, FloatVector<4>& c1, FloatVector<4>& c2,
                                   FloatVector<4>& c3, const uint16_t* a, const uint16_t* b) {
  const IntVector<4>::Lanes groups = detail::lanes_of<4>(a), pairs = detail::lanes_of<4>(b);
  BURIN_RT_DOT_OF_LANE(c0, 0);
  BURIN_RT_DOT_OF_LANE(c1, 1);
  BURIN_RT_DOT_OF_LANE(c2, 2);
  BURIN_RT_DOT_OF_LANE(c3, 3);
}
#undef BURIN_RT_DOT_OF_LANE
#else
BURIN_RT_INLINE void dot_rows_bf16(FloatVector<4>& c0, FloatVector<4>& c1, FloatVector<4>& c2,
                                   FloatVector<4>& c3, const uint16_t* a, const uint16_t* b) {
  c0 = dot_bf16<4>(c0, a, b);
  c1 = dot_bf16<4>(c1, a + 2, b);
  c2 = dot_bf16<4>(c2, a + 4, b);
  c3 = dot_bf16<4>(c3, a + 6, b);
}
#endif

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_DOT_BF16_H
