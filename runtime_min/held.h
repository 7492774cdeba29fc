// SPDX-License-Identifier: MIT-0
// Vectors of groups that are held in registers from one turn of a loop to the next, and products
// with them. Each lane is a group of four bytes, the first one lowest.
#ifndef BURIN_RT_HELD_H
#define BURIN_RT_HELD_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class Byte>
BURIN_RT_INLINE void hold(IntVector<32>& to, const Byte* from) {
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
  to.lanes = detail::lanes_of<32>(from);
#else
  for (int j = 0; j < 32; ++j) {
    uint32_t word = 0;
    for (int q = 4; q-- > 0;) word = word << 8 | static_cast<uint8_t>(from[4 * j + q]);
    to.lanes[j] = static_cast<int32_t>(word);
  }
#endif
}
// The first ones of a loop. What makes them is no load: compilers would make each turn load what
// the one before it has loaded.
template <class Byte>
BURIN_RT_INLINE void hold_first(IntVector<32>& to, const Byte* from) {
  hold(to, from);
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
  to.lanes = __builtin_HEXAGON_V6_valignbi_128B(to.lanes, to.lanes, 0);
#endif
}

namespace detail {

template <class Byte>
struct HeldBytes {
  Byte at[128];
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
  explicit BURIN_RT_INLINE_MEMBER HeldBytes(const IntVector<32>& b) {
    __builtin_memcpy(at, &b.lanes, sizeof at);
  }
#else
  explicit HeldBytes(const IntVector<32>& b) {
    for (int k = 0; k < 128; ++k)
      at[k] = static_cast<Byte>(static_cast<uint32_t>(b.lanes[k / 4]) >> (8 * (k % 4)));
  }
#endif
};

}  // namespace detail

BURIN_RT_INLINE void add_s8u8_held(IntVector<32>& c, const int8_t* a, const IntVector<32>& b) {
  c = dot_s8u8<32>(c, a, detail::HeldBytes<uint8_t>(b).at);
}
BURIN_RT_INLINE void add_u8u8_held(IntVector<32>& c, const uint8_t* a, const IntVector<32>& b) {
  c = dot_u8u8<32>(c, a, detail::HeldBytes<uint8_t>(b).at);
}
BURIN_RT_INLINE void add_u8s8_held(IntVector<32>& c, const uint8_t* a, const IntVector<32>& b) {
  c = dot_u8s8<32>(c, a, detail::HeldBytes<int8_t>(b).at);
}
BURIN_RT_INLINE void add_s8s8_held(IntVector<32>& c, const int8_t* a, const IntVector<32>& b) {
  c = dot_s8s8<32>(c, a, detail::HeldBytes<int8_t>(b).at);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_HELD_H
