// SPDX-License-Identifier: MIT-0
// The greatest or least of bytes, place by place, of every byte or of every second one.
//
// What is written are `count` bytes; what is read may reach to the ends of the aligned vectors that
// have them (moves.h).
#ifndef BURIN_RT_FOLD_BYTES_H
#define BURIN_RT_FOLD_BYTES_H

#include <stdint.h>

#include "moves.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

struct Greatest {};
struct Least {};
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
BURIN_RT_INLINE HvxBytes hvx_folded(Greatest, const uint8_t*, HvxBytes a, HvxBytes b) {
  return __builtin_HEXAGON_V6_vmaxub_128B(a, b);
}
BURIN_RT_INLINE HvxBytes hvx_folded(Greatest, const int8_t*, HvxBytes a, HvxBytes b) {
  return __builtin_HEXAGON_V6_vmaxb_128B(a, b);
}
BURIN_RT_INLINE HvxBytes hvx_folded(Least, const uint8_t*, HvxBytes a, HvxBytes b) {
  return __builtin_HEXAGON_V6_vminub_128B(a, b);
}
BURIN_RT_INLINE HvxBytes hvx_folded(Least, const int8_t*, HvxBytes a, HvxBytes b) {
  return __builtin_HEXAGON_V6_vminb_128B(a, b);
}
template <int kStride, class How, class Byte>
BURIN_RT_INLINE void fold_all(Byte* to, const Byte* from, int32_t count) {
  const unsigned char* in = reinterpret_cast<const unsigned char*>(from);
  for (; count >= 128; count -= 128, to += 128, in += kStride * 128) {
    const HvxBytes v = hvx_folded(How{}, to, hvx_load(to, 128), hvx_row<kStride>(in, 128));
    __builtin_memcpy(to, &v, sizeof v);
  }
  if (count > 0)
    hvx_store(to, hvx_folded(How{}, to, hvx_load(to, count), hvx_row<kStride>(in, count)), count);
}
template <class Byte>
BURIN_RT_INLINE void fill_all(Byte* to, Byte value, int32_t count) {
  const HvxBytes v = __builtin_HEXAGON_V6_lvsplatb_128B(value);
  for (; count >= 128; count -= 128, to += 128) __builtin_memcpy(to, &v, sizeof v);
  if (count > 0) hvx_store(to, v, count);
}
#else
template <class Byte>
BURIN_RT_INLINE Byte folded(Greatest, Byte a, Byte b) {
  return a < b ? b : a;
}
template <class Byte>
BURIN_RT_INLINE Byte folded(Least, Byte a, Byte b) {
  return b < a ? b : a;
}
template <int kStride, class How, class Byte>
BURIN_RT_INLINE void fold_all(Byte* to, const Byte* from, int32_t count) {
  for (int32_t j = 0; j < count; ++j) to[j] = folded(How{}, to[j], from[kStride * j]);
}
template <class Byte>
BURIN_RT_INLINE void fill_all(Byte* to, Byte value, int32_t count) {
  for (int32_t j = 0; j < count; ++j) to[j] = value;
}
#endif

}  // namespace detail

template <int kStride, class Byte, class Count>
BURIN_RT_INLINE void greatest_bytes(Byte* to, const Byte* from, Count count) {
  detail::fold_all<kStride, detail::Greatest>(to, from, static_cast<int32_t>(count));
}
template <int kStride, class Byte, class Count>
BURIN_RT_INLINE void least_bytes(Byte* to, const Byte* from, Count count) {
  detail::fold_all<kStride, detail::Least>(to, from, static_cast<int32_t>(count));
}
template <class Byte, class Count>
BURIN_RT_INLINE void fill_bytes(Byte* to, const Byte* from, Count count) {
  detail::fill_all(to, *from, static_cast<int32_t>(count));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FOLD_BYTES_H
