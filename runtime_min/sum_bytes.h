// SPDX-License-Identifier: MIT-0
// Sums of bytes beside each other, and of their squares, in 32 bits that wrap. What is read may
// reach to the ends of the aligned vectors that have them (moves.h).
#ifndef BURIN_RT_SUM_BYTES_H
#define BURIN_RT_SUM_BYTES_H

#include <stdint.h>

#include "moves.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

// Of a signed byte what is summed is 128 more, by its highest bit.
BURIN_RT_INLINE int32_t sign_of_bytes(const uint8_t*) { return 0; }
BURIN_RT_INLINE int32_t sign_of_bytes(const int8_t*) { return -1; }

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
BURIN_RT_INLINE uint32_t sum_of_lanes(HvxBytes sums) {
  // The upper half of what is left to the lower one, five times.
  for (int32_t half = 64; half >= 4; half /= 2) sums += __builtin_HEXAGON_V6_vror_128B(sums, half);
  alignas(128) uint32_t lanes[32];
  __builtin_memcpy(lanes, &sums, sizeof lanes);
  return lanes[0];
}
BURIN_RT_INLINE HvxBytes first_bytes(HvxBytes bytes, int32_t count) {
  return __builtin_HEXAGON_V6_vandvqv_128B(__builtin_HEXAGON_V6_pred_scalar2_128B(count), bytes);
}
// 32 sums whose sum is that of all.
BURIN_RT_INLINE HvxBytes sums_in_lanes(const unsigned char* in, int32_t count, HvxBytes bits) {
  HvxBytes sums = {};
  for (; count >= 128; count -= 128, in += 128)
    sums = __builtin_HEXAGON_V6_vrmpyub_acc_128B(sums, hvx_load(in, 128) ^ bits, 0x01010101);
  if (count > 0)
    sums = __builtin_HEXAGON_V6_vrmpyub_acc_128B(
        sums, first_bytes(hvx_load(in, count) ^ bits, count), 0x01010101);
  return sums;
}
BURIN_RT_INLINE uint32_t sum_all(const void* from, int32_t count, int32_t sign) {
  return sum_of_lanes(
      sums_in_lanes(static_cast<const unsigned char*>(from), count, hvx_bits(sign)));
}
// The sums of kRows rows, in as many lanes each as there are: neighbours of both halves are added.
template <int kRows>
struct RowSums {
  BURIN_RT_INLINE HvxBytes of(const unsigned char* in, int32_t count, HvxBytes bits) {
    const HvxBytes first = RowSums<kRows / 2>::of(in, count, bits);
    const HvxBytes second = RowSums<kRows / 2>::of(in + kRows / 2 * count, count, bits);
    const HvxPair apart = __builtin_HEXAGON_V6_vdealvdd_128B(second, first, -4);
    return __builtin_HEXAGON_V6_lo_128B(apart) + __builtin_HEXAGON_V6_hi_128B(apart);
  }
};
template <>
struct RowSums<1> {
  BURIN_RT_INLINE HvxBytes of(const unsigned char* in, int32_t count, HvxBytes bits) {
    return sums_in_lanes(in, count, bits);
  }
};
constexpr int32_t kRowsAtOnce = 32;
// As many rows as that at a time; how many that are.
template <class Byte>
BURIN_RT_INLINE int32_t sum_whole_rows(int32_t* to, const Byte* from, int32_t rows, int32_t count,
                                       int32_t sign) {
  int32_t done = 0;
  for (; rows - done >= kRowsAtOnce; done += kRowsAtOnce) {
    const HvxBytes sums = RowSums<kRowsAtOnce>::of(
        reinterpret_cast<const unsigned char*>(from) + done * count, count, hvx_bits(sign));
    const HvxBytes all =
        sums - __builtin_HEXAGON_V6_lvsplatw_128B(static_cast<int32_t>(
                   static_cast<uint32_t>(count) * static_cast<uint32_t>(sign & 128)));
    __builtin_memcpy(to + done, &all, sizeof all);
  }
  return done;
}
BURIN_RT_INLINE HvxBytes add_squares(const uint8_t*, HvxBytes sums, HvxBytes bytes) {
  return __builtin_HEXAGON_V6_vrmpyubv_acc_128B(sums, bytes, bytes);
}
BURIN_RT_INLINE HvxBytes add_squares(const int8_t*, HvxBytes sums, HvxBytes bytes) {
  return __builtin_HEXAGON_V6_vrmpybv_acc_128B(sums, bytes, bytes);
}
template <class Byte>
BURIN_RT_INLINE uint32_t squares_of_all(const Byte* from, int32_t count) {
  const unsigned char* in = reinterpret_cast<const unsigned char*>(from);
  HvxBytes sums = {};
  for (; count >= 128; count -= 128, in += 128) sums = add_squares(from, sums, hvx_load(in, 128));
  if (count > 0) sums = add_squares(from, sums, first_bytes(hvx_load(in, count), count));
  return sum_of_lanes(sums);
}
#else
BURIN_RT_INLINE uint32_t sum_all(const void* from, int32_t count, int32_t sign) {
  uint32_t sum = 0;
  for (int32_t j = 0; j < count; ++j)
    sum += static_cast<uint32_t>(static_cast<const unsigned char*>(from)[j] ^ (sign & 0x80));
  return sum;
}
template <class Byte>
BURIN_RT_INLINE int32_t sum_whole_rows(int32_t*, const Byte*, int32_t, int32_t, int32_t) {
  return 0;
}
template <class Byte>
BURIN_RT_INLINE uint32_t squares_of_all(const Byte* from, int32_t count) {
  uint32_t sum = 0;
  for (int32_t j = 0; j < count; ++j) sum += static_cast<uint32_t>(from[j] * from[j]);
  return sum;
}
#endif

}  // namespace detail

template <class Byte, class Count>
BURIN_RT_INLINE void sum_bytes(int32_t* to, const Byte* from, Count count) {
  const int32_t length = static_cast<int32_t>(count), sign = detail::sign_of_bytes(from);
  const uint32_t beyond = static_cast<uint32_t>(length) * static_cast<uint32_t>(sign & 128);
  to[0] = static_cast<int32_t>(static_cast<uint32_t>(to[0]) + detail::sum_all(from, length, sign) -
                               beyond);
}

// Of `rows` rows, each behind the one before.
template <class Byte, class Rows, class Count>
BURIN_RT_INLINE void sum_rows(int32_t* to, const Byte* from, Rows rows, Count count) {
  const int32_t all = static_cast<int32_t>(rows), length = static_cast<int32_t>(count);
  for (int32_t row = detail::sum_whole_rows(to, from, all, length, detail::sign_of_bytes(from));
       row < all; ++row) {
    to[row] = 0;
    sum_bytes(to + row, from + row * length, length);
  }
}
template <class Byte, class Count>
BURIN_RT_INLINE void sum_squares(int32_t* to, const Byte* from, Count count) {
  to[0] = static_cast<int32_t>(static_cast<uint32_t>(to[0]) +
                               detail::squares_of_all(from, static_cast<int32_t>(count)));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_SUM_BYTES_H
