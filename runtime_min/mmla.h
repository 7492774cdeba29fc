// SPDX-License-Identifier: MIT-0
// Products of two rows of eight bytes with four columns of eight, as the instructions of Arm for
// 2 x 2 sums have them (i8mm): accumulator v has the sums of columns 2 v and 2 v + 1, those of the
// first row before those of the second one. Elsewhere plain arithmetic of the same value.
#ifndef BURIN_RT_MMLA_H
#define BURIN_RT_MMLA_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

typedef IntVector<4>::Lanes Block;

// Lanes 2 i + j of c: + sum over q < 8 of a<i>[q] * b[8 j + q].
template <class A, class B>
BURIN_RT_INLINE Block add_block(Block c, const A* a0, const A* a1, const B* b) {
  for (int lane = 0; lane < 4; ++lane) {
    const A* const row = lane < 2 ? a0 : a1;
    const B* const column = b + 8 * (lane % 2);
    uint32_t sum = static_cast<uint32_t>(c[lane]);
    for (int q = 0; q < 8; ++q) sum += static_cast<uint32_t>(int32_t{row[q]} * int32_t{column[q]});
    c[lane] = static_cast<int32_t>(sum);
  }
  return c;
}

#if defined(__ARM_FEATURE_MATMUL_INT8)
#define BURIN_RT_HAS_BLOCKS
BURIN_RT_INLINE Block twice(const void* bytes) {
  typedef int64_t Halves __attribute__((vector_size(16)));
  int64_t half;
  __builtin_memcpy(&half, bytes, sizeof half);
  return reinterpret_cast<Block>(Halves{} + half);
}
// The instruction for these signs.
BURIN_RT_INLINE Block multiply(Block c, Block a, Block b, int8_t, int8_t) {
  __asm__("smmla %0.4s, %1.16b, %2.16b" : "+w"(c) : "w"(a), "w"(b));
  return c;
}
BURIN_RT_INLINE Block multiply(Block c, Block a, Block b, uint8_t, uint8_t) {
  __asm__("ummla %0.4s, %1.16b, %2.16b" : "+w"(c) : "w"(a), "w"(b));
  return c;
}
BURIN_RT_INLINE Block multiply(Block c, Block a, Block b, uint8_t, int8_t) {
  __asm__("usmmla %0.4s, %1.16b, %2.16b" : "+w"(c) : "w"(a), "w"(b));
  return c;
}
#endif

template <class A, class B>
BURIN_RT_INLINE void add_blocks(IntVector<4>& c0, IntVector<4>& c1, const A* a, const B* b) {
#ifdef BURIN_RT_HAS_BLOCKS
  const Block rows = lanes_of<4>(a);
  c0.lanes = multiply(c0.lanes, rows, lanes_of<4>(b), A{}, B{});
  c1.lanes = multiply(c1.lanes, rows, lanes_of<4>(b + 16), A{}, B{});
#else
  c0.lanes = add_block(c0.lanes, a, a + 8, b);
  c1.lanes = add_block(c1.lanes, a, a + 8, b + 16);
#endif
}

// One row: its sums are the first ones of blocks whose other row is the same.
template <class A, class B>
BURIN_RT_INLINE IntVector<4> dot_eights(const IntVector<4>& c, const A* a, const B* b) {
  Block c0 = {c.lanes[0], c.lanes[1], 0, 0}, c1 = {c.lanes[2], c.lanes[3], 0, 0};
#ifdef BURIN_RT_HAS_BLOCKS
  const Block rows = twice(a);
  c0 = multiply(c0, rows, lanes_of<4>(b), A{}, B{});
  c1 = multiply(c1, rows, lanes_of<4>(b + 16), A{}, B{});
#else
  c0 = add_block(c0, a, a, b);
  c1 = add_block(c1, a, a, b + 16);
#endif
  return {Block{c0[0], c0[1], c1[0], c1[1]}};
}

}  // namespace detail

#define BURIN_RT_BLOCKS(types, A, B)                                                           \
  BURIN_RT_INLINE void add_blocks_##types(IntVector<4>& c0, IntVector<4>& c1, const A* a,      \
                                          const B* b) {                                        \
    detail::add_blocks(c0, c1, a, b);                                                          \
  }                                                                                            \
  template <int kLanes>                                                                        \
  BURIN_RT_INLINE IntVector<kLanes> dot_eights_##types(const IntVector<kLanes>& c, const A* a, \
                                                       const B* b) {                           \
    static_assert(kLanes == 4, "a block has two columns, a vector two blocks");                \
    return detail::dot_eights(c, a, b);                                                        \
  }
BURIN_RT_BLOCKS(s8s8, int8_t, int8_t)
BURIN_RT_BLOCKS(u8u8, uint8_t, uint8_t)
BURIN_RT_BLOCKS(u8s8, uint8_t, int8_t)
#undef BURIN_RT_BLOCKS

// Sums of two rows and four columns, row by row.
BURIN_RT_INLINE void settle_blocks(IntVector<4>& r0, IntVector<4>& r1, const IntVector<4>& c0,
                                   const IntVector<4>& c1) {
  const detail::Block first = c0.lanes, second = c1.lanes;
  r0.lanes = detail::Block{first[0], first[1], second[0], second[1]};
  r1.lanes = detail::Block{first[2], first[3], second[2], second[3]};
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#undef BURIN_RT_HAS_BLOCKS

#endif  // BURIN_RT_MMLA_H
