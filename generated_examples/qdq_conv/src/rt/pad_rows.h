// SPDX-License-Identifier: MIT-0
// Rows of bytes that get another pitch: margins around them are filled, or gaps between them go.
//
//   to[pitch * r + j] = from[from_pitch * r + j - before] where 0 <= j - before < width, else fill
//
// Between signed and unsigned bytes numbers differ by 128 (moves.h). What is written are rows *
// pitch bytes; what is read may reach to the ends of the aligned vectors that have them.
#ifndef BURIN_RT_PAD_ROWS_H
#define BURIN_RT_PAD_ROWS_H

#include <stdint.h>

#include "moves.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
// A row of more than a vector: its margins and its middle.
BURIN_RT_INLINE void pad_long_row(unsigned char* to, const unsigned char* from, HvxBytes fill,
                                  int32_t pitch, int32_t width, int32_t before, int32_t sign) {
  for (int32_t j = 0; j < before; j += 128)
    hvx_store(to + j, fill, before - j < 128 ? before - j : 128);
  copy_all<1>(to + before, from, width, sign);
  for (int32_t j = before + width; j < pitch; j += 128)
    hvx_store(to + j, fill, pitch - j < 128 ? pitch - j : 128);
}
// How many steps of `pitch` there are from 0 to `room`, both of them.
BURIN_RT_INLINE int32_t rows_with_room(int32_t room, int32_t pitch) {
  return room < 0 ? 0 : pitch > 0 ? room / pitch + 1 : INT32_MAX;
}
// Bytes of a row at its place, and margins around them.
BURIN_RT_INLINE HvxBytes pad_margins(HvxBytes row, HvxBytes fill, int32_t pitch, int32_t width,
                                     int32_t before, int32_t sign) {
  if (sign != 0) row ^= hvx_bits(sign);
  if (width == pitch) return row;
  return __builtin_HEXAGON_V6_vmux_128B(
      __builtin_HEXAGON_V6_pred_and_n_128B(__builtin_HEXAGON_V6_pred_scalar2v2_128B(before + width),
                                           __builtin_HEXAGON_V6_pred_scalar2_128B(before)),
      row, fill);
}
BURIN_RT_INLINE void pad_all(void* to, const void* from, int32_t fill, int32_t rows, int32_t pitch,
                             int32_t width, int32_t before, int32_t from_pitch, int32_t sign) {
  const HvxBytes filling = __builtin_HEXAGON_V6_lvsplatb_128B(fill);
  unsigned char* out = static_cast<unsigned char*>(to);
  const unsigned char* in = static_cast<const unsigned char*>(from);
  if (pitch > 128) {
    for (int32_t r = 0; r < rows; ++r, out += pitch, in += from_pitch)
      pad_long_row(out, in, filling, pitch, width, before, sign);
    return;
  }
  if (rows <= 0 || width <= 0) return;
  // What lies behind a row is written again by the next ones, but at the end; what lies around it
  // may be read, but at both ends.
  int32_t room = rows * pitch, left = (rows - 1) * from_pitch + width, r = 0;
  for (; r < rows; ++r, room -= pitch, left -= from_pitch, out += pitch, in += from_pitch) {
    if (r * from_pitch >= before) break;
    const HvxBytes row = pad_margins(__builtin_HEXAGON_V6_vror_128B(hvx_load(in, width), -before),
                                     filling, pitch, width, before, sign);
    if (room >= 128) {
      __builtin_memcpy(out, &row, sizeof row);
    } else {
      hvx_store(out, row, pitch);
    }
  }
  // Rows between, several in a turn: one at a time is twice as long, because its addresses are
  // copied.
  int32_t between = rows - r;
  const int32_t written = rows_with_room(room - 128, pitch),
                read = rows_with_room(left + before - 128, from_pitch);
  if (between > written) between = written;
  if (between > read) between = read;
#pragma GCC unroll 4
  for (int32_t k = 0; k < between; ++k, out += pitch, in += from_pitch) {
    HvxBytes row;
    __builtin_memcpy(&row, in - before, sizeof row);
    row = pad_margins(row, filling, pitch, width, before, sign);
    __builtin_memcpy(out, &row, sizeof row);
  }
  r += between;
  room -= between * pitch;
  for (; r < rows; ++r, room -= pitch, out += pitch, in += from_pitch) {
    const HvxBytes row =
        pad_margins(hvx_load(in - before, before + width), filling, pitch, width, before, sign);
    if (room >= 128) {
      __builtin_memcpy(out, &row, sizeof row);
    } else {
      hvx_store(out, row, pitch);
    }
  }
}
#else
BURIN_RT_INLINE void pad_all(void* to, const void* from, int32_t fill, int32_t rows, int32_t pitch,
                             int32_t width, int32_t before, int32_t from_pitch, int32_t sign) {
  for (int32_t r = 0; r < rows; ++r) {
    unsigned char* out = static_cast<unsigned char*>(to) + pitch * r;
    const unsigned char* in = static_cast<const unsigned char*>(from) + from_pitch * r;
    for (int32_t j = 0; j < pitch; ++j) {
      const bool there = j >= before && j - before < width;
      out[j] = static_cast<unsigned char>(there ? in[j - before] ^ (sign & 0x80) : fill);
    }
  }
}
#endif

}  // namespace detail

template <class To, class From, class Size0, class Size1, class Size2, class Size3, class Size4>
BURIN_RT_INLINE void pad_rows(To* to, const From* from, const To* fill, Size0 rows, Size1 pitch,
                              Size2 width, Size3 before, Size4 from_pitch) {
  detail::pad_all(to, from, static_cast<int32_t>(*fill), static_cast<int32_t>(rows),
                  static_cast<int32_t>(pitch), static_cast<int32_t>(width),
                  static_cast<int32_t>(before), static_cast<int32_t>(from_pitch),
                  detail::Sign<To, From>::kBits);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PAD_ROWS_H
