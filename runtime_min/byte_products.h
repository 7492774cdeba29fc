// SPDX-License-Identifier: MIT-0
// Products of two bytes each, without their zero points, 128 at a time: four vectors of 32 words;
// lane j of vector q is of bytes 4 j + q.
#ifndef BURIN_RT_BYTE_PRODUCTS_H
#define BURIN_RT_BYTE_PRODUCTS_H

#include <stdint.h>

#include "byte_lines.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
// Bytes 0, 2, 4 ... and 1, 3, 5 ... less a zero point, as halves of words.
template <class Byte>
BURIN_RT_INLINE HvxPair hvx_shifted(const Byte* from, Byte zero) {
  HvxBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  const LineLanes by = __builtin_HEXAGON_V6_lvsplath_128B(zero);
  return __builtin_HEXAGON_V6_vsubh_dv_128B(hvx_widened(from, bytes),
                                            __builtin_HEXAGON_V6_vcombine_128B(by, by));
}
template <class A, class B>
BURIN_RT_INLINE void multiply_all(LineLanes& c0, LineLanes& c1, LineLanes& c2, LineLanes& c3,
                                  const A* a, const B* b, A zero_a, B zero_b) {
  const HvxPair u = hvx_shifted(a, zero_a), v = hvx_shifted(b, zero_b);
  const HvxPair even = __builtin_HEXAGON_V6_vmpyhv_128B(__builtin_HEXAGON_V6_lo_128B(u),
                                                        __builtin_HEXAGON_V6_lo_128B(v)),
                odd = __builtin_HEXAGON_V6_vmpyhv_128B(__builtin_HEXAGON_V6_hi_128B(u),
                                                       __builtin_HEXAGON_V6_hi_128B(v));
  c0 = __builtin_HEXAGON_V6_lo_128B(even);
  c1 = __builtin_HEXAGON_V6_lo_128B(odd);
  c2 = __builtin_HEXAGON_V6_hi_128B(even);
  c3 = __builtin_HEXAGON_V6_hi_128B(odd);
}
#else
template <class A, class B>
BURIN_RT_INLINE void multiply_all(LineLanes& c0, LineLanes& c1, LineLanes& c2, LineLanes& c3,
                                  const A* a, const B* b, A zero_a, B zero_b) {
  LineLanes* const all[] = {&c0, &c1, &c2, &c3};
  for (int j = 0; j < 128; ++j)
    (*all[j % 4])[j / 4] =
        static_cast<int32_t>(a[j] - zero_a) * static_cast<int32_t>(b[j] - zero_b);
}
#endif

}  // namespace detail

template <class A, class B>
BURIN_RT_INLINE void multiply_bytes(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                    IntVector<32>& c3, const A* a, const B* b, const A* zero_a,
                                    const B* zero_b) {
  detail::multiply_all(c0.lanes, c1.lanes, c2.lanes, c3.lanes, a, b, *zero_a, *zero_b);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_BYTE_PRODUCTS_H
