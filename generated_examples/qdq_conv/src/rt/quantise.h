// SPDX-License-Identifier: MIT-0
// Floats become bytes by integer vectors, with a mark where one is near to the end of a byte.
//
//   position = sign(x) * min(floor(|x| * scale), 2^29) + offset     byte = position >> 16, limited
//
// line: offset, reach, least, greatest. A float is a whole number of 24 bits times a power of two,
// and so is the scale: their product is one of 48 bits, of which the upper ones are shifted. Of a
// NaN the position is the offset, and it is marked.
#ifndef BURIN_RT_QUANTISE_H
#define BURIN_RT_QUANTISE_H

#include <stdint.h>

#include "dot.h"
#include "requantise.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
// A scale as 31 bits, the highest one set, and what its power is.
struct HvxScale {
  HvxVector bits, power;
};
BURIN_RT_INLINE HvxScale hvx_scale(float scale) {
  uint32_t bits;
  __builtin_memcpy(&bits, &scale, sizeof bits);
  const int32_t mantissa = static_cast<int32_t>(((bits & 0x7fffffu) | 0x800000u) << 7);
  return {__builtin_HEXAGON_V6_lvsplatw_128B(mantissa),
          __builtin_HEXAGON_V6_lvsplatw_128B(283 - static_cast<int32_t>(bits >> 23))};
}
BURIN_RT_INLINE HvxVector hvx_position_of(HvxVector x, const HvxScale& scale, HvxVector offset,
                                          HvxVector& marks) {
  const HvxVector none = {};
  const HvxVector size = x & __builtin_HEXAGON_V6_lvsplatw_128B(0x7fffffff);
  const HvxVector mantissa =
      __builtin_HEXAGON_V6_vaslw_128B(x & __builtin_HEXAGON_V6_lvsplatw_128B(0x7fffff), 7) |
      __builtin_HEXAGON_V6_lvsplatw_128B(1 << 30);
  const HvxVector product = __builtin_HEXAGON_V6_vmpyowh_sacc_128B(
      __builtin_HEXAGON_V6_vmpyewuh_128B(mantissa, scale.bits), mantissa, scale.bits);
  const HvxVector shift = __builtin_HEXAGON_V6_vminw_128B(
      __builtin_HEXAGON_V6_vmaxw_128B(scale.power - __builtin_HEXAGON_V6_vlsrw_128B(size, 23),
                                      none),
      __builtin_HEXAGON_V6_lvsplatw_128B(31));
  HvxVector position =
      __builtin_HEXAGON_V6_vminw_128B(__builtin_HEXAGON_V6_vasrwv_128B(product, shift),
                                      __builtin_HEXAGON_V6_lvsplatw_128B(1 << 29));
  const auto is_nan =
      __builtin_HEXAGON_V6_vgtw_128B(size, __builtin_HEXAGON_V6_lvsplatw_128B(0x7f800000));
  position = __builtin_HEXAGON_V6_vmux_128B(is_nan, none, position);
  marks = __builtin_HEXAGON_V6_vmux_128B(is_nan, __builtin_HEXAGON_V6_lvsplatw_128B(-1), none);
  const HvxVector sign = __builtin_HEXAGON_V6_vasrw_128B(x, 31);
  return ((position ^ sign) - sign) + offset;
}
// All bits of words that are near to 0.
BURIN_RT_INLINE HvxVector hvx_near(HvxVector words, HvxVector reach, HvxVector twice) {
  return __builtin_HEXAGON_V6_vmux_128B(
      __builtin_HEXAGON_V6_vgtuh_128B(twice, __builtin_HEXAGON_V6_vaddh_128B(words, reach)),
      __builtin_HEXAGON_V6_lvsplatw_128B(-1), HvxVector{});
}
template <class Byte>
BURIN_RT_INLINE void quantise_lanes(Byte* to, HvxVector& seen, const float* from, float by,
                                    const int32_t* line) {
  const HvxScale scale = hvx_scale(by);
  const HvxVector offset = __builtin_HEXAGON_V6_lvsplatw_128B(line[0]),
                  reach = __builtin_HEXAGON_V6_lvsplath_128B(line[1]),
                  twice = __builtin_HEXAGON_V6_vaddh_128B(reach, reach);
  HvxVector x[4], p[4], marks[4];
  __builtin_memcpy(x, from, sizeof x);
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) p[v] = hvx_position_of(x[v], scale, offset, marks[v]);
  const HvxVector bytes = hvx_limited(to,
                                      hvx_bytes(to, __builtin_HEXAGON_V6_vpackoh_128B(p[3], p[2]),
                                                __builtin_HEXAGON_V6_vpackoh_128B(p[1], p[0])),
                                      line[2], line[3]);
  __builtin_memcpy(to, &bytes, sizeof bytes);
  seen |= __builtin_HEXAGON_V6_vpackeb_128B(
      hvx_near(__builtin_HEXAGON_V6_vpackeh_128B(p[3], p[2]), reach, twice) |
          __builtin_HEXAGON_V6_vpackeh_128B(marks[3], marks[2]),
      hvx_near(__builtin_HEXAGON_V6_vpackeh_128B(p[1], p[0]), reach, twice) |
          __builtin_HEXAGON_V6_vpackeh_128B(marks[1], marks[0]));
}
#else
template <class Byte>
BURIN_RT_INLINE void quantise_lanes(Byte* to, IntVector<32>::Lanes& seen, const float* from,
                                    float by, const int32_t* line) {
  constexpr int32_t kLow = static_cast<Byte>(-1) < static_cast<Byte>(0) ? -128 : 0;
  const uint32_t reach = static_cast<uint32_t>(line[1]);
  for (int j = 0; j < 128; ++j) {
    const bool is_nan = from[j] != from[j];
    const double size = (from[j] < 0 ? -double{from[j]} : double{from[j]}) * double{by};
    const int32_t whole = is_nan ? 0 : static_cast<int32_t>(size < 0x1p29 ? size : 0x1p29);
    const uint32_t place =
        static_cast<uint32_t>(from[j] < 0 ? -whole : whole) + static_cast<uint32_t>(line[0]);
    const int32_t byte = line_within(static_cast<int32_t>(place) >> 16, kLow, kLow + 255);
    to[j] = static_cast<Byte>(line_within(line_within(byte, line_limit(to, line[2]), kLow + 255),
                                          kLow, line_limit(to, line[3])));
    if (is_nan || ((place + reach) & 0xffffu) < ((reach + reach) & 0xffffu)) {
      const uint32_t bits = static_cast<uint32_t>(seen[j / 4]) | (0xffu << (8 * (j % 4)));
      seen[j / 4] = static_cast<int32_t>(bits);
    }
  }
}
#endif

}  // namespace detail

// The bytes of 128 numbers; what is near to an end is added to `seen`, a byte for each.
template <class Byte>
BURIN_RT_INLINE void quantise(Byte* to, IntVector<32>& seen, const float* from, const float* scale,
                              const int32_t* line) {
  detail::quantise_lanes(to, seen.lanes, from, scale[0], line);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_QUANTISE_H
