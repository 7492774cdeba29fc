// SPDX-License-Identifier: MIT-0
// Bytes of a line of two bytes, 128 at a time, in sums of 16 bits: its factors are four digits of
// seven bits, or three, of which the lowest has eight. Levels wrap to 16 bits; `line` has a word
// for the digits of each level, then where the first sum but the lowest of four starts, where the
// last one does, the last shift, the least and the greatest byte.
#ifndef BURIN_RT_BYTE_DIGITS_H
#define BURIN_RT_BYTE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

#include "byte_lines.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
template <class Byte>
BURIN_RT_INLINE HvxBytes hvx_unsigned(const Byte* from) {
  HvxBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return static_cast<Byte>(-1) < static_cast<Byte>(0) ? bytes ^ hvx_bits(-1) : bytes;
}
// The digits of both bytes, for even and for odd places.
BURIN_RT_INLINE int32_t both_digits(int32_t word) {
  const uint32_t two = static_cast<uint32_t>(word) & 0xffffu;
  return static_cast<int32_t>(two | two << 16);
}
BURIN_RT_INLINE HvxPair hvx_both(int32_t half) {
  const HvxBytes halves = __builtin_HEXAGON_V6_lvsplath_128B(half);
  return __builtin_HEXAGON_V6_vcombine_128B(halves, halves);
}
// Halves of even and of odd places, plus those of another level above its lowest bits.
BURIN_RT_INLINE HvxPair hvx_carried(HvxPair to, HvxPair from, int32_t bits) {
  return __builtin_HEXAGON_V6_vcombine_128B(
      __builtin_HEXAGON_V6_vasrh_acc_128B(__builtin_HEXAGON_V6_hi_128B(to),
                                          __builtin_HEXAGON_V6_hi_128B(from), bits),
      __builtin_HEXAGON_V6_vasrh_acc_128B(__builtin_HEXAGON_V6_lo_128B(to),
                                          __builtin_HEXAGON_V6_lo_128B(from), bits));
}
BURIN_RT_INLINE HvxBytes hvx_last_level(const uint8_t*, HvxBytes odd, HvxBytes even, int32_t by) {
  return __builtin_HEXAGON_V6_vasrhubsat_128B(odd, even, by);
}
BURIN_RT_INLINE HvxBytes hvx_last_level(const int8_t*, HvxBytes odd, HvxBytes even, int32_t by) {
  return __builtin_HEXAGON_V6_vasrhbsat_128B(odd, even, by);
}
BURIN_RT_INLINE HvxBytes hvx_within(const uint8_t*, HvxBytes v, int32_t least, int32_t greatest) {
  return __builtin_HEXAGON_V6_vminub_128B(
      __builtin_HEXAGON_V6_vmaxub_128B(v, __builtin_HEXAGON_V6_lvsplatb_128B(least)),
      __builtin_HEXAGON_V6_lvsplatb_128B(greatest));
}
BURIN_RT_INLINE HvxBytes hvx_within(const int8_t*, HvxBytes v, int32_t least, int32_t greatest) {
  return __builtin_HEXAGON_V6_vminb_128B(
      __builtin_HEXAGON_V6_vmaxb_128B(v, __builtin_HEXAGON_V6_lvsplatb_128B(least)),
      __builtin_HEXAGON_V6_lvsplatb_128B(greatest));
}
template <int kLevels, bool kWhole, class To, class A, class B>
BURIN_RT_INLINE void digits_all(To* to, const A* a, const B* b, const int32_t* line) {
  const int32_t* const own = line + kLevels;
  const HvxPair bytes = __builtin_HEXAGON_V6_vcombine_128B(hvx_unsigned(b), hvx_unsigned(a));
  HvxPair level;
  if (kLevels == 3) {
    level = __builtin_HEXAGON_V6_vmpabus_acc_128B(hvx_both(own[0]), bytes, both_digits(line[0]));
    level = hvx_carried(__builtin_HEXAGON_V6_vmpabus_128B(bytes, both_digits(line[1])), level, 8);
  } else {
    const HvxPair level0 = __builtin_HEXAGON_V6_vmpabus_128B(bytes, both_digits(line[0]));
    const HvxBytes carry = __builtin_HEXAGON_V6_vshuffob_128B(__builtin_HEXAGON_V6_hi_128B(level0),
                                                              __builtin_HEXAGON_V6_lo_128B(level0));
    level = __builtin_HEXAGON_V6_vmpabus_acc_128B(hvx_both(own[0]), bytes, both_digits(line[1]));
    level = __builtin_HEXAGON_V6_vaddubh_acc_128B(level, carry, carry);
    level = hvx_carried(__builtin_HEXAGON_V6_vmpabus_128B(bytes, both_digits(line[2])), level, 7);
  }
  level = hvx_carried(__builtin_HEXAGON_V6_vmpabus_acc_128B(hvx_both(own[1]), bytes,
                                                            both_digits(line[kLevels - 1])),
                      level, 7);
  HvxBytes all = hvx_last_level(to, __builtin_HEXAGON_V6_hi_128B(level),
                                __builtin_HEXAGON_V6_lo_128B(level), own[2] & 7);
  if (!kWhole) all = hvx_within(to, all, own[3], own[4]);
  __builtin_memcpy(to, &all, sizeof all);
}
#else
BURIN_RT_INLINE int32_t unsigned_byte(uint8_t byte) { return byte; }
BURIN_RT_INLINE int32_t unsigned_byte(int8_t byte) { return byte + 128; }
BURIN_RT_INLINE int32_t digit_of(int32_t word, int32_t place) {
  return static_cast<int8_t>(static_cast<uint32_t>(word) >> (8 * place) & 255u);
}
template <int kLevels, bool kWhole, class To, class A, class B>
BURIN_RT_INLINE void digits_all(To* to, const A* a, const B* b, const int32_t* line) {
  constexpr int32_t kLow = static_cast<To>(-1) < static_cast<To>(0) ? -128 : 0;
  const int32_t* const own = line + kLevels;
  const int32_t least = kWhole ? kLow : byte_limit(to, own[3]),
                greatest = kWhole ? kLow + 255 : byte_limit(to, own[4]);
  for (int j = 0; j < 128; ++j) {
    const int32_t u = unsigned_byte(a[j]), v = unsigned_byte(b[j]);
    int32_t sums[size_t{kLevels}];
    for (int k = 0; k < kLevels; ++k) sums[k] = digit_of(line[k], 0) * u + digit_of(line[k], 1) * v;
    const int32_t start = own[0] & 0xffff, low = sums[0] >> 8 & 255;
    const int32_t level =
        kLevels == 3 ? static_cast<int16_t>(sums[1] + (static_cast<int16_t>(start + sums[0]) >> 8))
                     : static_cast<int16_t>(sums[kLevels - 2] +
                                            (static_cast<int16_t>(start + sums[1] + 2 * low) >> 7));
    const int32_t last = static_cast<int16_t>((own[1] & 0xffff) + sums[kLevels - 1] + (level >> 7));
    int32_t byte = last >> (own[2] & 7);
    byte = byte < kLow ? kLow : byte > kLow + 255 ? kLow + 255 : byte;
    byte = byte < least ? least : byte;
    to[j] = static_cast<To>(byte > greatest ? greatest : byte);
  }
}
#endif

}  // namespace detail

template <int kLevels, bool kWhole, class To, class A, class B>
BURIN_RT_INLINE void byte_by_digits(To* to, const A* a, const B* b, const int32_t* line) {
  detail::digits_all<kLevels, kWhole>(to, a, b, line);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_BYTE_DIGITS_H
