// SPDX-License-Identifier: MIT-0
// A hint of what is read after the present block of rows.
#ifndef BURIN_RT_READ_AHEAD_H
#define BURIN_RT_READ_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// Asks for kFloats of them, `floats` further on than `from`. Several blocks at a time are several
// streams from memory, each a page or two long: hardware follows them late. (A single stream is
// left to it: asking made products 5 % faster on one maker's machines and 5 % slower on another's.)
// Beyond the end nothing is read; the place is a number, because no pointer may stand there.
template <int kFloats>
BURIN_RT_INLINE void read_ahead(const float* from, int64_t floats) {
  constexpr int kLine = 16;
#pragma GCC unroll 8
  for (int at = 0; at < kFloats; at += kLine) {
    const uintptr_t place =
        reinterpret_cast<uintptr_t>(from) + static_cast<uintptr_t>(floats + at) * sizeof(float);
    __builtin_prefetch(reinterpret_cast<const void*>(place), 0, 2);
  }
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_READ_AHEAD_H
