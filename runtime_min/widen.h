// SPDX-License-Identifier: MIT-0
// Rows of halves as floats: by the conversion instructions of x86-64 where a tree is compiled for
// them, which no compiler of today makes of a loop over halves; as half.h says elsewhere, with the
// same bits.
#ifndef BURIN_RT_WIDEN_H
#define BURIN_RT_WIDEN_H

#include "half.h"
#include "tree.h"

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

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_WIDEN_H
