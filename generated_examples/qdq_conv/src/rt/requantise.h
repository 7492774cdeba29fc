// SPDX-License-Identifier: MIT-0
// Sums of 32 bits become bytes by a line, with a mark where the line is near to the end of a byte.
//
//   position = ((c << shift) * factor >> 31) + offset      byte = position >> 16, limited
//
// It is near where position mod 2^16 < near. Instead of marks there may be the lowest of what is
// compared with `near`, so that it is compared once for many sums. line: shift, factor, offset,
// near, least, greatest; `along`: factors and offsets of lanes instead, 32 each for every vector.
// With kWhole limits are those of the type. Shifts take the lowest five bits of theirs, `near` the
// lowest 16, limits the lowest eight; sums wrap, and the product is limited to 32 bits.
#ifndef BURIN_RT_REQUANTISE_H
#define BURIN_RT_REQUANTISE_H

#include <stdint.h>

#include "dot.h"
#include "moves.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
typedef IntVector<32>::Lanes HvxVector;

BURIN_RT_INLINE HvxVector hvx_positions(HvxVector sums, int32_t shift, HvxVector factor,
                                        HvxVector offset) {
  const HvxVector shifted = __builtin_HEXAGON_V6_vaslw_128B(sums, shift);
  return __builtin_HEXAGON_V6_vmpyowh_sacc_128B(__builtin_HEXAGON_V6_vmpyewuh_128B(shifted, factor),
                                                shifted, factor) +
         offset;
}
BURIN_RT_INLINE HvxVector hvx_limited(const uint8_t*, HvxVector bytes, int32_t least,
                                      int32_t greatest) {
  return __builtin_HEXAGON_V6_vminub_128B(
      __builtin_HEXAGON_V6_vmaxub_128B(bytes, __builtin_HEXAGON_V6_lvsplatb_128B(least)),
      __builtin_HEXAGON_V6_lvsplatb_128B(greatest));
}
BURIN_RT_INLINE HvxVector hvx_limited(const int8_t*, HvxVector bytes, int32_t least,
                                      int32_t greatest) {
  return __builtin_HEXAGON_V6_vminb_128B(
      __builtin_HEXAGON_V6_vmaxb_128B(bytes, __builtin_HEXAGON_V6_lvsplatb_128B(least)),
      __builtin_HEXAGON_V6_lvsplatb_128B(greatest));
}
// Bytes of two vectors of words of 16 bits, one behind the other or (`between`) of which `high` are
// every second one.
BURIN_RT_INLINE HvxVector hvx_bytes(const uint8_t*, HvxVector high, HvxVector low) {
  return __builtin_HEXAGON_V6_vpackhub_sat_128B(high, low);
}
BURIN_RT_INLINE HvxVector hvx_bytes(const int8_t*, HvxVector high, HvxVector low) {
  return __builtin_HEXAGON_V6_vpackhb_sat_128B(high, low);
}
BURIN_RT_INLINE HvxVector hvx_bytes_between(const uint8_t*, HvxVector high, HvxVector low) {
  return __builtin_HEXAGON_V6_vasrhubsat_128B(high, low, 0);
}
BURIN_RT_INLINE HvxVector hvx_bytes_between(const int8_t*, HvxVector high, HvxVector low) {
  return __builtin_HEXAGON_V6_vasrhbsat_128B(high, low, 0);
}
// The lower and the upper halves of four vectors, in the order of columns but for one step, and
// bytes of the upper ones.
struct InARow {
  static BURIN_RT_INLINE_MEMBER HvxVector low(HvxVector b, HvxVector a) {
    return __builtin_HEXAGON_V6_vpackeh_128B(b, a);
  }
  static BURIN_RT_INLINE_MEMBER HvxVector high(HvxVector b, HvxVector a) {
    return __builtin_HEXAGON_V6_vpackoh_128B(b, a);
  }
  template <class Byte>
  static BURIN_RT_INLINE_MEMBER HvxVector bytes(const Byte* to, HvxVector b, HvxVector a) {
    return hvx_bytes(to, b, a);
  }
  static constexpr int kBeside = 1;  // vectors from one to the one that it is combined with
};
struct ByPairs {
  static BURIN_RT_INLINE_MEMBER HvxVector low(HvxVector b, HvxVector a) {
    return __builtin_HEXAGON_V6_vshufeh_128B(b, a);
  }
  static BURIN_RT_INLINE_MEMBER HvxVector high(HvxVector b, HvxVector a) {
    return __builtin_HEXAGON_V6_vshufoh_128B(b, a);
  }
  template <class Byte>
  static BURIN_RT_INLINE_MEMBER HvxVector bytes(const Byte* to, HvxVector b, HvxVector a) {
    return hvx_bytes(to, b, a);
  }
  static constexpr int kBeside = 1;
};
struct ByFours : ByPairs {
  template <class Byte>
  static BURIN_RT_INLINE_MEMBER HvxVector bytes(const Byte* to, HvxVector b, HvxVector a) {
    return hvx_bytes_between(to, b, a);
  }
  static constexpr int kBeside = 2;
};
// What is known of positions: marks of those whose lower halves are near, or the lowest of both
// halves, lane by lane.
struct LineMarks {
  template <class Order>
  static BURIN_RT_INLINE_MEMBER void note(HvxVector& seen, HvxVector p0, HvxVector p1, HvxVector p2,
                                          HvxVector p3, const int32_t* line) {
    const HvxVector near = __builtin_HEXAGON_V6_lvsplath_128B(line[3]), a = Order::low(p1, p0),
                    b = Order::low(p3, p2);
    seen = __builtin_HEXAGON_V6_vandqrt_acc_128B(
        seen, __builtin_HEXAGON_V6_vgtuh_or_128B(__builtin_HEXAGON_V6_vgtuh_128B(near, b), near, a),
        -1);
  }
};
struct LowestHalves {
  template <class Order>
  static BURIN_RT_INLINE_MEMBER void note(HvxVector& seen, HvxVector p0, HvxVector p1, HvxVector p2,
                                          HvxVector p3, const int32_t*) {
    seen = __builtin_HEXAGON_V6_vminuh_128B(
        seen, __builtin_HEXAGON_V6_vminuh_128B(__builtin_HEXAGON_V6_vminuh_128B(p0, p1),
                                               __builtin_HEXAGON_V6_vminuh_128B(p2, p3)));
  }
};
// Positions to bytes, and what is known of their lower halves.
template <class Order, class Known, bool kWhole, class Byte>
BURIN_RT_INLINE void narrow_lines(Byte* to, HvxVector& seen, HvxVector p0, HvxVector p1,
                                  HvxVector p2, HvxVector p3, const int32_t* line) {
  const HvxVector b = Order::kBeside == 1 ? p1 : p2, c = Order::kBeside == 1 ? p2 : p1;
  Known::template note<Order>(seen, p0, b, c, p3, line);
  HvxVector bytes = Order::bytes(to, Order::high(p3, c), Order::high(b, p0));
  if (!kWhole) bytes = hvx_limited(to, bytes, line[4], line[5]);
  __builtin_memcpy(to, &bytes, sizeof bytes);
}
// ... of two or three vectors, whose columns are in a row.
template <int kVectors, class Known, bool kWhole, class Byte>
BURIN_RT_INLINE void narrow_some(Byte* to, HvxVector& seen, HvxVector p0, HvxVector p1,
                                 HvxVector p2, const int32_t* line) {
  Known::template note<InARow>(seen, p0, p1, p2, p1, line);  // what is known twice is known
  const HvxVector high = InARow::high(p1, p0);
  HvxVector bytes = hvx_bytes(to, kVectors == 3 ? InARow::high(p2, p2) : high, high);
  if (!kWhole) bytes = hvx_limited(to, bytes, line[4], line[5]);
  hvx_store(to, bytes, 32 * kVectors);
}
template <class Order, class Known, bool kWhole, class Byte>
BURIN_RT_INLINE void requantise_lanes(Byte* to, HvxVector& seen, HvxVector c0, HvxVector c1,
                                      HvxVector c2, HvxVector c3, const int32_t* line) {
  const HvxVector factor = __builtin_HEXAGON_V6_lvsplatw_128B(line[1]),
                  offset = __builtin_HEXAGON_V6_lvsplatw_128B(line[2]);
  narrow_lines<Order, Known, kWhole>(to, seen, hvx_positions(c0, line[0], factor, offset),
                                     hvx_positions(c1, line[0], factor, offset),
                                     hvx_positions(c2, line[0], factor, offset),
                                     hvx_positions(c3, line[0], factor, offset), line);
}
template <class Known, bool kWhole, int kVectors, class Byte>
BURIN_RT_INLINE void requantise_each(Byte* to, HvxVector& seen, HvxVector c0, HvxVector c1,
                                     HvxVector c2, HvxVector c3, const int32_t* line,
                                     const int32_t* along) {
  HvxVector by[4 * 2];
  __builtin_memcpy(by, along, kVectors * 2 * sizeof(HvxVector));
  const HvxVector p0 = hvx_positions(c0, line[0], by[0], by[1]),
                  p1 = hvx_positions(c1, line[0], by[2], by[3]);
  const HvxVector p2 = kVectors == 2 ? p0 : hvx_positions(c2, line[0], by[4], by[5]);
  if (kVectors < 4) {
    narrow_some<kVectors, Known, kWhole>(to, seen, p0, p1, p2, line);
    return;
  }
  narrow_lines<InARow, Known, kWhole>(to, seen, p0, p1, p2,
                                      hvx_positions(c3, line[0], by[6], by[7]), line);
}
template <int kVectors, class Known, bool kWhole, class Byte>
BURIN_RT_INLINE void requantise_some(Byte* to, HvxVector& seen, HvxVector c0, HvxVector c1,
                                     HvxVector c2, const int32_t* line) {
  const HvxVector factor = __builtin_HEXAGON_V6_lvsplatw_128B(line[1]),
                  offset = __builtin_HEXAGON_V6_lvsplatw_128B(line[2]);
  const HvxVector p0 = hvx_positions(c0, line[0], factor, offset);
  narrow_some<kVectors, Known, kWhole>(
      to, seen, p0, hvx_positions(c1, line[0], factor, offset),
      kVectors == 2 ? p0 : hvx_positions(c2, line[0], factor, offset), line);
}
#else
BURIN_RT_INLINE int32_t line_limit(const uint8_t*, int32_t bits) {
  return static_cast<uint8_t>(bits & 255);
}
BURIN_RT_INLINE int32_t line_limit(const int8_t*, int32_t bits) {
  return ((bits & 255) ^ 128) - 128;
}
BURIN_RT_INLINE int32_t line_within(int32_t x, int32_t least, int32_t greatest) {
  const int32_t above = x < least ? least : x;
  return above > greatest ? greatest : above;
}
// Which lane of which vector a column is: 32 v + j; which half of a word of marks it has.
struct InARow {
  static constexpr int lane(int column) { return column; }
  static constexpr int mark(int column) { return column % 64; }
};
struct ByFours {
  static constexpr int lane(int column) { return column % 4 * 32 + column / 4; }
  static constexpr int mark(int column) { return column / 2; }
};
struct ByPairs {
  static constexpr int lane(int column) {
    return column / 64 * 64 + column % 2 * 32 + column % 64 / 2;
  }
  static constexpr int mark(int column) { return column % 64; }
};
BURIN_RT_INLINE void set_half(int32_t& word, int place, uint32_t half) {
  const int shift = 16 * place;
  word = static_cast<int32_t>((static_cast<uint32_t>(word) & ~(0xffffu << shift)) | half << shift);
}
// What is known of a position: that its lower half is near, or the lowest of both halves.
struct LineMarks {
  template <class Order>
  static void note(IntVector<32>::Lanes& seen, int column, uint32_t place, uint32_t near) {
    const int mark = Order::mark(column);
    int32_t word = seen[mark / 2];
    if ((place & 0xffffu) < near) set_half(word, mark % 2, 0xffffu);
    seen[mark / 2] = word;
  }
};
struct LowestHalves {
  template <class Order>
  static void note(IntVector<32>::Lanes& seen, int column, uint32_t place, uint32_t) {
    const int lane = Order::lane(column) % 32;
    int32_t word = seen[lane];
    for (int q = 0; q < 2; ++q) {
      const uint32_t half = place >> (16 * q) & 0xffffu;
      if (half < (static_cast<uint32_t>(word) >> (16 * q) & 0xffffu)) set_half(word, q, half);
    }
    seen[lane] = word;
  }
};
// `factors` and `offsets` of lane j of vector v: 64 v + j, or those of all lanes.
template <class Order, class Known, bool kWhole, int kColumns, class Byte>
BURIN_RT_INLINE void requantise_columns(Byte* to, IntVector<32>::Lanes& seen,
                                        const IntVector<32>::Lanes* all, const int32_t* line,
                                        const int32_t* factors, const int32_t* offsets, int each) {
  constexpr int32_t kLow = static_cast<Byte>(-1) < static_cast<Byte>(0) ? -128 : 0;
  const uint32_t near = static_cast<uint32_t>(line[3]) & 0xffffu;
  for (int j = 0; j < kColumns; ++j) {
    const int at = Order::lane(j), own = each * (at / 32 * 64 + at % 32);
    const int64_t shifted =
        static_cast<int32_t>(static_cast<uint32_t>(all[at / 32][at % 32]) << (line[0] & 31));
    const int64_t product = (shifted * factors[own]) >> 31;
    const uint32_t place =
        static_cast<uint32_t>(product > INT32_MAX ? INT32_MAX : static_cast<int32_t>(product)) +
        static_cast<uint32_t>(offsets[own]);
    const int32_t high = static_cast<int32_t>(place) >> 16;
    const int32_t byte = line_within(high, kLow, kLow + 255);
    to[j] = static_cast<Byte>(
        kWhole ? byte
               : line_within(line_within(byte, line_limit(to, line[4]), kLow + 255), kLow,
                             line_limit(to, line[5])));
    Known::template note<Order>(seen, j, place, near);
  }
}
template <class Order, class Known, bool kWhole, class Byte>
BURIN_RT_INLINE void requantise_lanes(Byte* to, IntVector<32>::Lanes& seen, IntVector<32>::Lanes c0,
                                      IntVector<32>::Lanes c1, IntVector<32>::Lanes c2,
                                      IntVector<32>::Lanes c3, const int32_t* line) {
  const IntVector<32>::Lanes all[] = {c0, c1, c2, c3};
  requantise_columns<Order, Known, kWhole, 128>(to, seen, all, line, line + 1, line + 2, 0);
}
template <int kVectors, class Known, bool kWhole, class Byte>
BURIN_RT_INLINE void requantise_some(Byte* to, IntVector<32>::Lanes& seen, IntVector<32>::Lanes c0,
                                     IntVector<32>::Lanes c1, IntVector<32>::Lanes c2,
                                     const int32_t* line) {
  const IntVector<32>::Lanes all[] = {c0, c1, c2};
  requantise_columns<InARow, Known, kWhole, 32 * kVectors>(to, seen, all, line, line + 1, line + 2,
                                                           0);
}
template <class Known, bool kWhole, int kVectors, class Byte>
BURIN_RT_INLINE void requantise_each(Byte* to, IntVector<32>::Lanes& seen, IntVector<32>::Lanes c0,
                                     IntVector<32>::Lanes c1, IntVector<32>::Lanes c2,
                                     IntVector<32>::Lanes c3, const int32_t* line,
                                     const int32_t* along) {
  const IntVector<32>::Lanes all[] = {c0, c1, c2, c3};
  requantise_columns<InARow, Known, kWhole, 32 * kVectors>(to, seen, all, line, along, along + 32,
                                                           1);
}
#endif

}  // namespace detail

// The bytes of four vectors, of two or three; what is near to an end is added to `seen`, half a
// word for each of 64 columns and for the one 64 on; by fours for two columns beside each other.
// With LowestHalves `seen` has the lowest of the lower halves of their positions instead.
using detail::LowestHalves;
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                const IntVector<32>& c1, const IntVector<32>& c2,
                                const IntVector<32>& c3, const int32_t* line) {
  detail::requantise_lanes<detail::InARow, Known, kWhole>(to, seen.lanes, c0.lanes, c1.lanes,
                                                          c2.lanes, c3.lanes, line);
}
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                const IntVector<32>& c1, const int32_t* line) {
  detail::requantise_some<2, Known, kWhole>(to, seen.lanes, c0.lanes, c1.lanes, c1.lanes, line);
}
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                const IntVector<32>& c1, const IntVector<32>& c2,
                                const int32_t* line) {
  detail::requantise_some<3, Known, kWhole>(to, seen.lanes, c0.lanes, c1.lanes, c2.lanes, line);
}
// ... of sums whose lanes are as sliding_fours.h has them, of stride 1 and 2.
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise_fours(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                      const IntVector<32>& c1, const IntVector<32>& c2,
                                      const IntVector<32>& c3, const int32_t* line) {
  detail::requantise_lanes<detail::ByFours, Known, kWhole>(to, seen.lanes, c0.lanes, c1.lanes,
                                                           c2.lanes, c3.lanes, line);
}
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise_pairs(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                      const IntVector<32>& c1, const IntVector<32>& c2,
                                      const IntVector<32>& c3, const int32_t* line) {
  detail::requantise_lanes<detail::ByPairs, Known, kWhole>(to, seen.lanes, c0.lanes, c1.lanes,
                                                           c2.lanes, c3.lanes, line);
}
// With a factor and an offset for each lane.
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise_along(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                      const IntVector<32>& c1, const IntVector<32>& c2,
                                      const IntVector<32>& c3, const int32_t* line,
                                      const int32_t* along) {
  detail::requantise_each<Known, kWhole, 4>(to, seen.lanes, c0.lanes, c1.lanes, c2.lanes, c3.lanes,
                                            line, along);
}
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise_along(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                      const IntVector<32>& c1, const int32_t* line,
                                      const int32_t* along) {
  detail::requantise_each<Known, kWhole, 2>(to, seen.lanes, c0.lanes, c1.lanes, c0.lanes, c1.lanes,
                                            line, along);
}
template <bool kWhole, class Known = detail::LineMarks, class Byte>
BURIN_RT_INLINE void requantise_along(Byte* to, IntVector<32>& seen, const IntVector<32>& c0,
                                      const IntVector<32>& c1, const IntVector<32>& c2,
                                      const int32_t* line, const int32_t* along) {
  detail::requantise_each<Known, kWhole, 3>(to, seen.lanes, c0.lanes, c1.lanes, c2.lanes, c0.lanes,
                                            line, along);
}
// What sums of products lack: one number for all lanes, and one for each.
BURIN_RT_INLINE void less(IntVector<32>& to, const IntVector<32>& c, const int32_t* one,
                          const int32_t* each) {
  IntVector<32>::Lanes lanes;
  __builtin_memcpy(&lanes, each, sizeof lanes);
  to.lanes = c.lanes - (IntVector<32>::Lanes{} + one[0]) - lanes;
}
BURIN_RT_INLINE void load_lanes(IntVector<32>& to, const int32_t* from) {
  to.lanes = detail::lanes_of<32>(from);
}
BURIN_RT_INLINE IntVector<32> all_bits() {
  IntVector<32> out;
  out.lanes = IntVector<32>::Lanes{} - 1;
  return out;
}
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
namespace detail {
// Bytes that a mask has, 128 at most, are counted in the last one.
template <class Mask>
BURIN_RT_INLINE int32_t hvx_any(Mask mask) {
  return __builtin_HEXAGON_V6_extractw_128B(__builtin_HEXAGON_V6_vprefixqb_128B(mask), 124) >> 24 !=
         0;
}
}  // namespace detail
#endif
BURIN_RT_INLINE void store_marks(uint8_t* to, const IntVector<32>& c) {
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
  __builtin_memcpy(to, &c.lanes, sizeof c.lanes);
#else
  for (int j = 0; j < 128; ++j)
    to[j] = static_cast<uint8_t>(static_cast<uint32_t>(c.lanes[j / 4]) >> (8 * (j % 4)));
#endif
}
// Whether any bit is there.
BURIN_RT_INLINE void store_any(int32_t* to, const IntVector<32>& c) {
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
  to[0] = detail::hvx_any(__builtin_HEXAGON_V6_vandvrt_128B(c.lanes, -1));
#else
  uint64_t parts[sizeof c.lanes / 8], all = 0;
  __builtin_memcpy(parts, &c.lanes, sizeof parts);
  for (const uint64_t part : parts) all |= part;
  to[0] = all != 0;
#endif
}
// Whether the lower half of any word is below what a line calls near.
BURIN_RT_INLINE void store_any_near(int32_t* to, const IntVector<32>& lowest, const int32_t* line) {
#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
  to[0] = detail::hvx_any(__builtin_HEXAGON_V6_vgtuh_128B(
      __builtin_HEXAGON_V6_lvsplatw_128B(line[3] & 0xffff), lowest.lanes));
#else
  const uint32_t least = static_cast<uint32_t>(line[3]) & 0xffffu;
  to[0] = 0;
  for (int j = 0; j < 32; ++j) {
    if ((static_cast<uint32_t>(lowest.lanes[j]) & 0xffffu) < least) to[0] = 1;
  }
#endif
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_REQUANTISE_H
