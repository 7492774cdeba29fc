// SPDX-License-Identifier: MIT-0
// The planes of pad_fours.h where their sizes are known while this is compiled and a row's groups
// fit into a vector: as many rows at a time as do, by networks of exchanges (pad_known_rows.h).
// Each plane's bytes go to their places among the groups at once, whatever the stride.
#ifndef BURIN_RT_PAD_KNOWN_FOURS_H
#define BURIN_RT_PAD_KNOWN_FOURS_H

#include <stdint.h>

#include "moves.h"
#include "pad_fours.h"
#include "pad_known_rows.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
template <int kStride, int kPitch, int kWidth, int kBefore, int kFromPitch>
struct KnownFours {
  static constexpr int kSpan = (kWidth - 1) * kStride + 1;  // of a row
  static constexpr int least(int a, int b) { return a < b ? a : b; }
  // Rows of which a vector has all of what is read of a plane and all groups.
  static constexpr bool kFits = kPitch >= 1 && kPitch <= 32 && kSpan <= 128 && kSpan <= kFromPitch;
  static constexpr int kAtOnce = kFits ? least(32 / kPitch, (128 - kSpan) / kFromPitch + 1) : 0;
  // Rows may come nearer to each other while their bytes move apart: then bytes move together
  // first, one behind the other.
  static constexpr bool kTogether = kAtOnce > 1 &&
                                    4 * (kPitch - kWidth + 1) < kFromPitch - (kWidth - 1) * kStride;
  static constexpr ExchangeBits together() {
    ExchangeBits out = {};
    for (int i = 0; i < (kTogether ? kAtOnce * kWidth : 0); ++i)
      add_exchanges(out, i / kWidth * kFromPitch + i % kWidth * kStride, i, false);
    return out;
  }
  // Of plane q.
  static constexpr ExchangeBits apart(int q) {
    ExchangeBits out = {};
    for (int j = 0; j < 128; ++j) out.at[j] = kFilled;
    for (int i = 0; i < kAtOnce * kWidth; ++i) {
      const int r = i / kWidth, c = i % kWidth, to = 4 * (r * kPitch + kBefore + c) + q;
      out.at[to] = static_cast<unsigned char>(out.at[to] & ~kFilled);
      add_exchanges(out, kTogether ? i : r * kFromPitch + c * kStride, to, true);
    }
    return out;
  }
};

// Vectors of groups, of four vectors of their planes.
template <bool kTogether>
struct FourExchanges {
  HvxBytes together, bits[4];
  HvxBytes fill, sign;
  BURIN_RT_INLINE_MEMBER HvxBytes groups(HvxBytes* planes) const {
    HvxBytes at[4];
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
      if (kTogether) planes[q] = __builtin_HEXAGON_V6_vrdelta_128B(planes[q], together);
      at[q] = __builtin_HEXAGON_V6_vdelta_128B(planes[q], bits[q]);
    }
    // Places of the second, the fourth, and the last two of a group.
    const HvxBytes all = HvxBytes{} - 1;
    const HvxBytes first = __builtin_HEXAGON_V6_vmux_128B(
                       __builtin_HEXAGON_V6_vandvrt_128B(all, 0x00000100), at[1], at[0]),
                   last = __builtin_HEXAGON_V6_vmux_128B(
                       __builtin_HEXAGON_V6_vandvrt_128B(all, 0x01000000), at[3], at[2]),
                   both = __builtin_HEXAGON_V6_vmux_128B(
                       __builtin_HEXAGON_V6_vandvrt_128B(all, 0x01010000), last, first);
    // A place is of one plane: where none has a byte for it all say so.
    return __builtin_HEXAGON_V6_vmux_128B(filled(), fill, both ^ sign);
  }
  BURIN_RT_INLINE_MEMBER auto filled() const
      -> decltype(__builtin_HEXAGON_V6_pred_scalar2_128B(0)) {
    const HvxBytes everywhere = (bits[0] & bits[1]) & (bits[2] & bits[3]);
    return __builtin_HEXAGON_V6_vgtb_128B(HvxBytes{}, everywhere);
  }
};
template <int kStride, int kPitch, int kWidth, int kBefore, int kFromPitch>
BURIN_RT_INLINE void pad_known_fours_all(void* to, const PadFours& all, int32_t fill,
                                         int32_t sign) {
  typedef KnownFours<kStride, kPitch, kWidth, kBefore, kFromPitch> Known;
  if (Known::kAtOnce < 1) {
    pad_fours_all<kStride>(to, all, fill, sign);
    return;
  }
  if (all.rows <= 0) return;
  alignas(128) static constexpr ExchangeBits kExchanges[5] = {
      Known::together(), Known::apart(0), Known::apart(1), Known::apart(2), Known::apart(3)};
  FourExchanges<Known::kTogether> four;
  __builtin_memcpy(&four.together, kExchanges, sizeof four.together);
  __builtin_memcpy(four.bits, kExchanges + 1, sizeof four.bits);
  four.fill = __builtin_HEXAGON_V6_lvsplatb_128B(fill);
  four.sign = hvx_bits(sign);
  constexpr int32_t kOut = 4 * Known::kAtOnce * kPitch, kIn = Known::kAtOnce * kFromPitch;
  unsigned char* out = static_cast<unsigned char*>(to);
  // What lies behind these rows is written again by the next ones, but at the end.
  int32_t room = 4 * all.rows * kPitch, left = (all.rows - 1) * kFromPitch + Known::kSpan, in = 0;
  const int32_t written = room < 128 ? 0 : (room - 128) / kOut + 1,
                read = left < 128 ? 0 : (left - 128) / kIn + 1;
  const int32_t whole = Known::least(written, read);
  room -= whole * kOut;
  left -= whole * kIn;
  HvxBytes planes[4];
  for (int32_t k = 0; k < whole; ++k, out += kOut, in += kIn) {
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) __builtin_memcpy(&planes[q], all.from[q] + in, sizeof planes[q]);
    const HvxBytes groups = four.groups(planes);
    __builtin_memcpy(out, &groups, sizeof groups);
  }
  for (; room > 0; room -= kOut, left -= kIn, out += kOut, in += kIn) {
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) planes[q] = hvx_load(all.from[q] + in, left < 128 ? left : 128);
    store_groups(out, four.groups(planes), Known::least(room, kOut));
  }
}
#else
template <int kStride, int kPitch, int kWidth, int kBefore, int kFromPitch>
BURIN_RT_INLINE void pad_known_fours_all(void* to, const PadFours& all, int32_t fill,
                                         int32_t sign) {
  pad_fours_all<kStride>(to, all, fill, sign);
}
#endif

}  // namespace detail

template <int kStride, int kPitch, int kWidth, int kBefore, int kFromPitch, class To, class From,
          class Size>
BURIN_RT_INLINE void pad_known_fours(To* to, const From* from0, const From* from1,
                                     const From* from2, const From* from3, const To* fill,
                                     Size rows) {
  const auto bytes = [](const From* from) { return reinterpret_cast<const unsigned char*>(from); };
  const detail::PadFours all = {{bytes(from0), bytes(from1), bytes(from2), bytes(from3)},
                                static_cast<int32_t>(rows),
                                kPitch,
                                kWidth,
                                kBefore,
                                kFromPitch};
  detail::pad_known_fours_all<kStride, kPitch, kWidth, kBefore, kFromPitch>(
      to, all, static_cast<int32_t>(*fill), detail::Sign<To, From>::kBits);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PAD_KNOWN_FOURS_H
