// SPDX-License-Identifier: MIT-0
// Dot products of four rows with one vector: c<i>[j] + sum over q < 4 of a[4 i + q] * b[4 j + q].
//
// With dotprod the groups are one vector, of which each instruction takes a lane; elsewhere they
// are those of dot.h, row by row.
#ifndef BURIN_RT_DOT_BUNDLES_H
#define BURIN_RT_DOT_BUNDLES_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

#if defined(__ARM_FEATURE_DOTPROD) && defined(__aarch64__)
#define BURIN_RT_DOT_OF_LANE(instruction, c, lane) \
  __asm__(instruction " %0.4s, %1.16b, %2.4b[" #lane "]" : "+w"(c.lanes) : "w"(bytes), "w"(groups))
#define BURIN_RT_DOT_ROWS(name, instruction, Byte)                                             \
  BURIN_RT_INLINE void name(IntVector<4>& c0, IntVector<4>& c1, IntVector<4>& c2,              \
                            IntVector<4>& c3, const Byte* a, const Byte* b) {                  \
    const IntVector<4>::Lanes groups = detail::lanes_of<4>(a), bytes = detail::lanes_of<4>(b); \
    BURIN_RT_DOT_OF_LANE(instruction, c0, 0);                                                  \
    BURIN_RT_DOT_OF_LANE(instruction, c1, 1);                                                  \
    BURIN_RT_DOT_OF_LANE(instruction, c2, 2);                                                  \
    BURIN_RT_DOT_OF_LANE(instruction, c3, 3);                                                  \
  }
BURIN_RT_DOT_ROWS(dot_rows_s8s8, "sdot", int8_t)
BURIN_RT_DOT_ROWS(dot_rows_u8u8, "udot", uint8_t)
#undef BURIN_RT_DOT_OF_LANE
#else
#define BURIN_RT_DOT_ROWS(name, dot, Byte)                                        \
  BURIN_RT_INLINE void name(IntVector<4>& c0, IntVector<4>& c1, IntVector<4>& c2, \
                            IntVector<4>& c3, const Byte* a, const Byte* b) {     \
    c0 = dot<4>(c0, a, b);                                                        \
    c1 = dot<4>(c1, a + 4, b);                                                    \
    c2 = dot<4>(c2, a + 8, b);                                                    \
    c3 = dot<4>(c3, a + 12, b);                                                   \
  }
BURIN_RT_DOT_ROWS(dot_rows_s8s8, dot_s8s8, int8_t)
BURIN_RT_DOT_ROWS(dot_rows_u8u8, dot_u8u8, uint8_t)
#endif
#undef BURIN_RT_DOT_ROWS

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_DOT_BUNDLES_H
