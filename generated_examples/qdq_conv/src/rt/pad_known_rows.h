// SPDX-License-Identifier: MIT-0
// The rows of pad_rows.h where their sizes are known while this is compiled: as many rows at a time
// as a vector has room for, by a network of exchanges.
//
// Bytes that move apart in their order go through log2 of a vector's stages, exchanges of distance
// 64 first, and never meet: two of them at one place of a stage have the same high bits of where
// they go and the same low bits of where they come from, so they came from further apart than they
// go to. Bytes that move together do the same with distance 1 first (D. Nassimi, S. Sahni, Data
// broadcasting in SIMD computers, 1981).
#ifndef BURIN_RT_PAD_KNOWN_ROWS_H
#define BURIN_RT_PAD_KNOWN_ROWS_H

#include <stdint.h>

#include "moves.h"
#include "pad_rows.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
struct ExchangeBits {
  unsigned char at[128];
};
constexpr int kFilled = 128;  // of an exchange byte: no byte goes to this place
// Those of one byte, in the order for bytes that move apart or together.
constexpr void add_exchanges(ExchangeBits& bits, int from, int to, bool apart) {
  for (int bit = 1; bit < 128; bit *= 2) {
    const int low = apart ? bit - 1 : 2 * bit - 1;
    const int place = apart ? (to & ~low) | (from & low) : (from & ~low) | (to & low);
    if (((from ^ to) & bit) != 0) bits.at[place] = static_cast<unsigned char>(bits.at[place] | bit);
  }
}

template <int kPitch, int kWidth, int kBefore, int kFromPitch>
struct KnownRows {
  static constexpr bool kApart = kPitch >= kFromPitch;
  static constexpr bool kHasMargins = kPitch != kWidth;
  static constexpr int least(int a, int b) { return a < b ? a : b; }
  // Rows of which a vector has all of what is read and what is written.
  static constexpr int kAtOnce = kPitch < 1 || kFromPitch < 1 || kWidth > 128
                                     ? 1
                                     : least(128 / kPitch, (128 - kWidth) / kFromPitch + 1);
  static constexpr ExchangeBits exchanges() {
    ExchangeBits out = {};
    for (int j = 0; j < 128; ++j) out.at[j] = kFilled;
    for (int r = 0; kAtOnce > 1 && r < kAtOnce; ++r) {
      for (int c = 0; c < kWidth; ++c) {
        const int from = r * kFromPitch + c, to = r * kPitch + kBefore + c;
        out.at[to] = static_cast<unsigned char>(out.at[to] & ~kFilled);
        add_exchanges(out, from, to, kApart);
      }
    }
    return out;
  }
};

template <class Known>
BURIN_RT_INLINE HvxBytes exchanged(HvxBytes v, HvxBytes bits) {
  return Known::kApart ? __builtin_HEXAGON_V6_vdelta_128B(v, bits)
                       : __builtin_HEXAGON_V6_vrdelta_128B(v, bits);
}
// Rows in a vector at their places, and margins around them.
template <class Known>
BURIN_RT_INLINE HvxBytes known_rows(HvxBytes rows, HvxBytes bits, HvxBytes fill, int32_t sign) {
  HvxBytes moved = exchanged<Known>(rows, bits);
  if (sign != 0) moved ^= hvx_bits(sign);
  if (!Known::kHasMargins) return moved;
  return __builtin_HEXAGON_V6_vmux_128B(__builtin_HEXAGON_V6_vgtb_128B(HvxBytes{}, bits), fill,
                                        moved);
}
template <int kPitch, int kWidth, int kBefore, int kFromPitch>
BURIN_RT_INLINE void pad_known_all(void* to, const void* from, int32_t fill, int32_t rows,
                                   int32_t sign) {
  typedef KnownRows<kPitch, kWidth, kBefore, kFromPitch> Known;
  constexpr int32_t kAtOnce = Known::kAtOnce;
  if (kAtOnce < 2) {
    pad_all(to, from, fill, rows, kPitch, kWidth, kBefore, kFromPitch, sign);
    return;
  }
  if (rows <= 0) return;
  const HvxBytes filling = __builtin_HEXAGON_V6_lvsplatb_128B(fill);
  alignas(128) static constexpr ExchangeBits kExchanges = Known::exchanges();
  HvxBytes bits;
  __builtin_memcpy(&bits, &kExchanges, sizeof bits);
  constexpr int32_t kOut = kAtOnce * kPitch, kIn = kAtOnce * kFromPitch;
  unsigned char* out = static_cast<unsigned char*>(to);
  const unsigned char* in = static_cast<const unsigned char*>(from);
  // What lies behind these rows is written again by the next ones, but at the end.
  int32_t room = rows * kPitch, left = (rows - 1) * kFromPitch + kWidth;
  const int32_t written = room < 128 ? 0 : (room - 128) / kOut + 1,
                read = left < 128 ? 0 : (left - 128) / kIn + 1;
  const int32_t whole = Known::least(written, read);
  room -= whole * kOut;
  left -= whole * kIn;
  for (int32_t k = 0; k < whole; ++k, out += kOut, in += kIn) {
    HvxBytes v;
    __builtin_memcpy(&v, in, sizeof v);
    v = known_rows<Known>(v, bits, filling, sign);
    __builtin_memcpy(out, &v, sizeof v);
  }
  for (; room > 0; room -= kOut, left -= kIn, out += kOut, in += kIn) {
    const HvxBytes v =
        known_rows<Known>(hvx_load(in, left < 128 ? left : 128), bits, filling, sign);
    hvx_store(out, v, Known::least(room, kOut));
  }
}
#else
template <int kPitch, int kWidth, int kBefore, int kFromPitch>
BURIN_RT_INLINE void pad_known_all(void* to, const void* from, int32_t fill, int32_t rows,
                                   int32_t sign) {
  pad_all(to, from, fill, rows, kPitch, kWidth, kBefore, kFromPitch, sign);
}
#endif

}  // namespace detail

template <int kPitch, int kWidth, int kBefore, int kFromPitch, class To, class From, class Size>
BURIN_RT_INLINE void pad_known_rows(To* to, const From* from, const To* fill, Size rows) {
  detail::pad_known_all<kPitch, kWidth, kBefore, kFromPitch>(to, from, static_cast<int32_t>(*fill),
                                                             static_cast<int32_t>(rows),
                                                             detail::Sign<To, From>::kBits);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PAD_KNOWN_ROWS_H
