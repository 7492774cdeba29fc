// SPDX-License-Identifier: MIT-0
// Planes of bytes, four at a time, as rows of groups with margins around them.
//
//   to[pitch * r + j][q] = from_q[from_pitch * r + kStride * (j - before)]
//                          where 0 <= j - before < width, else fill
//
// Between signed and unsigned bytes numbers differ by 128 (moves.h). What is written are rows *
// pitch groups, aligned as groups; what is read may reach to the ends of the aligned vectors that
// have them.
#ifndef BURIN_RT_PAD_FOURS_H
#define BURIN_RT_PAD_FOURS_H

#include <stdint.h>

#include "moves.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
// Every kStride-th byte of those at a place: 128 / kStride of them.
template <int kStride>
BURIN_RT_INLINE HvxBytes hvx_every(const unsigned char* from) {
  HvxBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return kStride == 1 ? bytes : __builtin_HEXAGON_V6_vpackeb_128B(bytes, bytes);
}
// Of groups [first, end) of 32: groups that are there, else the filling.
BURIN_RT_INLINE HvxBytes groups_within(HvxBytes groups, HvxBytes fill, int32_t first, int32_t end) {
  if (first <= 0 && end >= 32) return groups;
  if (first >= 32 || end <= 0) return fill;
  return __builtin_HEXAGON_V6_vmux_128B(
      __builtin_HEXAGON_V6_pred_and_n_128B(
          __builtin_HEXAGON_V6_pred_scalar2v2_128B(4 * (end < 32 ? end : 32)),
          __builtin_HEXAGON_V6_pred_scalar2_128B(4 * (first > 0 ? first : 0))),
      groups, fill);
}
struct PadFours {
  const unsigned char* from[4];
  int32_t rows, pitch, width, before, from_pitch;
};
// What may be read at the place of a row's first group, margins and all.
enum class Around { nothing, its_bytes, a_vector };
// 64 groups of a row, from number `first` on.
template <int kStride, Around kAround>
BURIN_RT_INLINE HvxPair padded_groups(const PadFours& all, int32_t row, int32_t first,
                                      HvxBytes fill, HvxBytes bits) {
  const int32_t begin = first - all.before, least = begin < 0 ? 0 : begin;
  const int32_t end = all.width < begin + 64 ? all.width : begin + 64;
  HvxBytes bytes[4];
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    const unsigned char* const line = all.from[q] + all.from_pitch * row;
    if (kAround == Around::a_vector) {
      bytes[q] = hvx_every<kStride>(line + kStride * begin);
    } else if (end <= least) {
      bytes[q] = fill;
    } else if (kAround == Around::its_bytes) {
      bytes[q] = hvx_row<kStride>(line + kStride * begin, end - begin);
    } else {
      bytes[q] = __builtin_HEXAGON_V6_vror_128B(
          hvx_row<kStride>(line + kStride * least, end - least), begin - least);
    }
  }
  const HvxBytes low = __builtin_HEXAGON_V6_lo_128B(
                     __builtin_HEXAGON_V6_vshuffvdd_128B(bytes[1], bytes[0], -1)),
                 high = __builtin_HEXAGON_V6_lo_128B(
                     __builtin_HEXAGON_V6_vshuffvdd_128B(bytes[3], bytes[2], -1));
  const HvxPair groups = __builtin_HEXAGON_V6_vshuffvdd_128B(high, low, -2);
  const int32_t behind = all.width - begin;
  return __builtin_HEXAGON_V6_vcombine_128B(
      groups_within(__builtin_HEXAGON_V6_hi_128B(groups) ^ bits, fill, -begin - 32, behind - 32),
      groups_within(__builtin_HEXAGON_V6_lo_128B(groups) ^ bits, fill, -begin, behind));
}
// A vector of groups, of which `room` bytes may be written.
BURIN_RT_INLINE void store_groups(unsigned char* to, HvxBytes groups, int32_t room) {
  if (room >= 128) {
    __builtin_memcpy(to, &groups, sizeof groups);
  } else if (room > 0) {
    hvx_store(to, groups, room);
  }
}
template <int kStride>
BURIN_RT_INLINE void pad_fours_all(void* to, const PadFours& all, int32_t fill, int32_t sign) {
  if (all.rows <= 0 || all.width <= 0) return;
  const HvxBytes filling = __builtin_HEXAGON_V6_lvsplatb_128B(fill), bits = hvx_bits(sign);
  unsigned char* out = static_cast<unsigned char*>(to);
  const int32_t length = (all.rows - 1) * all.from_pitch + (all.width - 1) * kStride + 1;
  // What lies behind a row is written again by the next one, but at the end.
  int32_t room = 4 * all.rows * all.pitch;
  for (int32_t r = 0; r < all.rows; ++r, room -= 4 * all.pitch, out += 4 * all.pitch) {
    for (int32_t j = 0; j < all.pitch; j += 64) {
      const int32_t at = all.from_pitch * r + kStride * (j - all.before);
      HvxPair groups;
      if (at < 0) {
        groups = padded_groups<kStride, Around::nothing>(all, r, j, filling, bits);
      } else if (at + 128 > length) {
        groups = padded_groups<kStride, Around::its_bytes>(all, r, j, filling, bits);
      } else {
        groups = padded_groups<kStride, Around::a_vector>(all, r, j, filling, bits);
      }
      store_groups(out + 4 * j, __builtin_HEXAGON_V6_lo_128B(groups), room - 4 * j);
      if (all.pitch - j > 32)
        store_groups(out + 4 * j + 128, __builtin_HEXAGON_V6_hi_128B(groups), room - 4 * j - 128);
    }
  }
}
#else
struct PadFours {
  const unsigned char* from[4];
  int32_t rows, pitch, width, before, from_pitch;
};
template <int kStride>
BURIN_RT_INLINE void pad_fours_all(void* to, const PadFours& all, int32_t fill, int32_t sign) {
  unsigned char* out = static_cast<unsigned char*>(to);
  for (int32_t r = 0; r < all.rows; ++r) {
    for (int32_t j = 0; j < all.pitch; ++j) {
      const int32_t at = j - all.before;
      for (int q = 0; q < 4; ++q, ++out) {
        const bool there = at >= 0 && at < all.width;
        *out = static_cast<unsigned char>(
            there ? all.from[q][all.from_pitch * r + kStride * at] ^ (sign & 0x80) : fill);
      }
    }
  }
}
#endif

}  // namespace detail

template <int kStride, class To, class From, class Size0, class Size1, class Size2, class Size3,
          class Size4>
BURIN_RT_INLINE void pad_fours(To* to, const From* from0, const From* from1, const From* from2,
                               const From* from3, const To* fill, Size0 rows, Size1 pitch,
                               Size2 width, Size3 before, Size4 from_pitch) {
  const auto bytes = [](const From* from) { return reinterpret_cast<const unsigned char*>(from); };
  const detail::PadFours all = {{bytes(from0), bytes(from1), bytes(from2), bytes(from3)},
                                static_cast<int32_t>(rows),
                                static_cast<int32_t>(pitch),
                                static_cast<int32_t>(width),
                                static_cast<int32_t>(before),
                                static_cast<int32_t>(from_pitch)};
  detail::pad_fours_all<kStride>(to, all, static_cast<int32_t>(*fill),
                                 detail::Sign<To, From>::kBits);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PAD_FOURS_H
