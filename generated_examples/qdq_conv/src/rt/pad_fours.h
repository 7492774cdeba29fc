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
typedef signed char FoursBytes __attribute__((vector_size(16)));
typedef int16_t FoursHalves __attribute__((vector_size(16)));
// Elements of two vectors, one of each in turn: of their first halves, or of their last ones.
#if defined(__clang__)
BURIN_RT_INLINE FoursBytes first_in_turn(FoursBytes a, FoursBytes b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
BURIN_RT_INLINE FoursBytes last_in_turn(FoursBytes a, FoursBytes b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}
BURIN_RT_INLINE FoursHalves first_in_turn(FoursHalves a, FoursHalves b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
BURIN_RT_INLINE FoursHalves last_in_turn(FoursHalves a, FoursHalves b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
BURIN_RT_INLINE FoursBytes every_second(FoursBytes a, FoursBytes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
#else
BURIN_RT_INLINE FoursBytes first_in_turn(FoursBytes a, FoursBytes b) {
  return __builtin_shuffle(a, b,
                           FoursBytes{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23});
}
BURIN_RT_INLINE FoursBytes last_in_turn(FoursBytes a, FoursBytes b) {
  return __builtin_shuffle(
      a, b, FoursBytes{8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31});
}
BURIN_RT_INLINE FoursHalves first_in_turn(FoursHalves a, FoursHalves b) {
  return __builtin_shuffle(a, b, FoursHalves{0, 8, 1, 9, 2, 10, 3, 11});
}
BURIN_RT_INLINE FoursHalves last_in_turn(FoursHalves a, FoursHalves b) {
  return __builtin_shuffle(a, b, FoursHalves{4, 12, 5, 13, 6, 14, 7, 15});
}
BURIN_RT_INLINE FoursBytes every_second(FoursBytes a, FoursBytes b) {
  return __builtin_shuffle(a, b,
                           FoursBytes{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30});
}
#endif
BURIN_RT_INLINE FoursBytes bytes_at(const unsigned char* from) {
  FoursBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
// Every kStride-th of 16 * kStride bytes.
template <int kStride>
BURIN_RT_INLINE FoursBytes bytes_of_row(const unsigned char* from) {
  static_assert(kStride <= 2, "a stride of pad_fours");
  return kStride == 1 ? bytes_at(from) : every_second(bytes_at(from), bytes_at(from + 16));
}
// 16 groups.
BURIN_RT_INLINE void put_groups(unsigned char* to, const FoursBytes* planes, FoursBytes bits) {
  const FoursBytes low01 = first_in_turn(planes[0], planes[1]) ^ bits,
                   low23 = first_in_turn(planes[2], planes[3]) ^ bits,
                   high01 = last_in_turn(planes[0], planes[1]) ^ bits,
                   high23 = last_in_turn(planes[2], planes[3]) ^ bits;
  const FoursHalves groups[4] = {first_in_turn((FoursHalves)low01, (FoursHalves)low23),
                                 last_in_turn((FoursHalves)low01, (FoursHalves)low23),
                                 first_in_turn((FoursHalves)high01, (FoursHalves)high23),
                                 last_in_turn((FoursHalves)high01, (FoursHalves)high23)};
  __builtin_memcpy(to, groups, sizeof groups);
}
template <int kStride>
BURIN_RT_INLINE void pad_fours_all(void* to, const PadFours& all, int32_t fill, int32_t sign) {
  if (all.rows <= 0 || all.width <= 0) return;
  enum { kAtOnce = 16 };
  const uint32_t bits = static_cast<uint32_t>(sign) & 0x80808080u,
                 filling = (static_cast<uint32_t>(fill) & 255u) * 0x01010101u;
  const FoursBytes signs = FoursBytes{} + static_cast<signed char>(sign & -128);
  unsigned char* out = static_cast<unsigned char*>(to);
  const auto put = [](unsigned char* group, uint32_t word) {
    __builtin_memcpy(group, &word, sizeof word);
  };
  const int32_t length = (all.rows - 1) * all.from_pitch + (all.width - 1) * kStride + 1;
  int32_t room = all.rows * all.pitch;  // groups from the row's first one on
  for (int32_t r = 0; r < all.rows; ++r, room -= all.pitch, out += 4 * all.pitch) {
    const int32_t at_row = all.from_pitch * r;
    for (int32_t j = 0; j < all.before; ++j) put(out + 4 * j, filling);
    unsigned char* const row = out + 4 * all.before;
    // What lies behind a row is written again, by its margin or by the next one.
    int32_t j = 0;
    for (; j < all.width; j += kAtOnce) {
      const int32_t at = at_row + kStride * j;
      if (at + kStride * kAtOnce > length || all.before + j + kAtOnce > room) break;
      const FoursBytes planes[4] = {
          bytes_of_row<kStride>(all.from[0] + at), bytes_of_row<kStride>(all.from[1] + at),
          bytes_of_row<kStride>(all.from[2] + at), bytes_of_row<kStride>(all.from[3] + at)};
      put_groups(row + 4 * j, planes, signs);
    }
    for (; j < all.width; ++j) {
      const int32_t at = at_row + kStride * j;
      const uint32_t group = uint32_t{all.from[0][at]} | uint32_t{all.from[1][at]} << 8 |
                             uint32_t{all.from[2][at]} << 16 | uint32_t{all.from[3][at]} << 24;
      put(row + 4 * j, group ^ bits);
    }
    for (j = all.before + all.width; j < all.pitch; ++j) put(out + 4 * j, filling);
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
