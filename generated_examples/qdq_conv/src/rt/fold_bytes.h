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
    HvxBytes v;
    __builtin_memcpy(&v, to, sizeof v);
    v = hvx_folded(How{}, to, v, hvx_whole_row<kStride>(in));
    __builtin_memcpy(to, &v, sizeof v);
  }
  if (count > 0)
    hvx_store(to, hvx_folded(How{}, to, hvx_load(to, count), hvx_row<kStride>(in, count)), count);
}
template <class How, class Byte>
BURIN_RT_INLINE Byte folded_run(How, const Byte* from, int32_t count) {
  HvxBytes all = hvx_load(from, count < 128 ? count : 128);
  if (count < 128)
    all = __builtin_HEXAGON_V6_vmux_128B(__builtin_HEXAGON_V6_pred_scalar2_128B(count), all,
                                         __builtin_HEXAGON_V6_lvsplatb_128B(*from));
  int32_t left = count - 128;
  for (const Byte* in = from + 128; left > 0; left -= 128, in += 128) {
    // The last vector once more where bytes are left: nothing is folded that is not there.
    const HvxBytes v = hvx_load(left < 128 ? in + left - 128 : in, 128);
    all = hvx_folded(How{}, from, all, v);
  }
  for (int32_t half = 64; half > 0; half /= 2)
    all = hvx_folded(How{}, from, all, __builtin_HEXAGON_V6_vror_128B(all, half));
  return static_cast<Byte>(__builtin_HEXAGON_V6_extractw_128B(all, 0));
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
template <class How, class Byte>
BURIN_RT_INLINE Byte folded_run(How, const Byte* from, int32_t count) {
  Byte all = *from;
  for (int32_t j = 1; j < count; ++j) all = folded(How{}, all, from[j]);
  return all;
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
BURIN_RT_INLINE void greatest_of_run(Byte* to, const Byte* from, Count count) {
  *to = detail::folded_run(detail::Greatest{}, from, static_cast<int32_t>(count));
}
template <class Byte, class Count>
BURIN_RT_INLINE void least_of_run(Byte* to, const Byte* from, Count count) {
  *to = detail::folded_run(detail::Least{}, from, static_cast<int32_t>(count));
}
template <class Byte, class Count>
BURIN_RT_INLINE void fill_bytes(Byte* to, const Byte* from, Count count) {
  detail::fill_all(to, *from, static_cast<int32_t>(count));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FOLD_BYTES_H
