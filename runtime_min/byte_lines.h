// SPDX-License-Identifier: MIT-0
// Functions of bytes, 128 at a time: by a table of 256, or by a line in fixed point.
//
// Positions on a line are four vectors of 32 words; lane j of vector q is of byte 4 j + q.
// A line's words: what a row reads of them stands at it. Sums and products wrap.
#ifndef BURIN_RT_BYTE_LINES_H
#define BURIN_RT_BYTE_LINES_H

#include <stdint.h>

#include "dot.h"
#include "moves.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

typedef IntVector<32>::Lanes LineLanes;

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
BURIN_RT_INLINE HvxPair hvx_widened(const uint8_t*, HvxBytes v) {
  return __builtin_HEXAGON_V6_vzb_128B(v);
}
BURIN_RT_INLINE HvxPair hvx_widened(const int8_t*, HvxBytes v) {
  return __builtin_HEXAGON_V6_vsb_128B(v);
}
template <class Byte>
BURIN_RT_INLINE void add_times(LineLanes& c0, LineLanes& c1, LineLanes& c2, LineLanes& c3,
                               const Byte* from, LineLanes by0, LineLanes by1, LineLanes by2,
                               LineLanes by3) {
  HvxBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  // Bytes 0, 2, 4 ... and 1, 3, 5 ... as halves of words.
  const HvxPair wide = hvx_widened(from, bytes);
  const LineLanes even = __builtin_HEXAGON_V6_lo_128B(wide),
                  odd = __builtin_HEXAGON_V6_hi_128B(wide);
  c0 = __builtin_HEXAGON_V6_vmpyiewh_acc_128B(c0, by0, even);
  c1 = __builtin_HEXAGON_V6_vmpyiewh_acc_128B(c1, by1, odd);
  c2 += __builtin_HEXAGON_V6_vmpyiowh_128B(by2, even);
  c3 += __builtin_HEXAGON_V6_vmpyiowh_128B(by3, odd);
}
template <class Byte>
BURIN_RT_INLINE void add_bytes(LineLanes& c0, LineLanes& c1, LineLanes& c2, LineLanes& c3,
                               const Byte* from, int32_t factor) {
  const LineLanes by = __builtin_HEXAGON_V6_lvsplatw_128B(factor);
  add_times(c0, c1, c2, c3, from, by, by, by, by);
}
BURIN_RT_INLINE LineLanes limited(LineLanes c, LineLanes least, LineLanes greatest) {
  return __builtin_HEXAGON_V6_vminw_128B(__builtin_HEXAGON_V6_vmaxw_128B(c, least), greatest);
}
// All bits of byte number q of the words that are near.
template <int q>
BURIN_RT_INLINE LineLanes marked(LineLanes seen, LineLanes c, LineLanes reach, LineLanes twice,
                                 int32_t shift) {
  return __builtin_HEXAGON_V6_vandqrt_acc_128B(
      seen,
      __builtin_HEXAGON_V6_vgtuw_128B(twice, __builtin_HEXAGON_V6_vaslw_128B(c + reach, shift)),
      static_cast<int32_t>(0xffu << (8 * q)));
}
BURIN_RT_INLINE void mark_all(LineLanes& seen, LineLanes c0, LineLanes c1, LineLanes c2,
                              LineLanes c3, const int32_t* line) {
  const int32_t shift = line[1] & 31;
  const LineLanes reach = __builtin_HEXAGON_V6_lvsplatw_128B(line[0]),
                  twice = __builtin_HEXAGON_V6_vaslw_128B(reach + reach, shift);
  seen = marked<0>(seen, c0, reach, twice, shift);
  seen = marked<1>(seen, c1, reach, twice, shift);
  seen = marked<2>(seen, c2, reach, twice, shift);
  seen = marked<3>(seen, c3, reach, twice, shift);
}
BURIN_RT_INLINE HvxBytes hvx_narrowed(const uint8_t*, HvxBytes odd, HvxBytes even,
                                      const int32_t* line) {
  const HvxBytes bytes = __builtin_HEXAGON_V6_vasrhubsat_128B(odd, even, line[0] & 7);
  return __builtin_HEXAGON_V6_vminub_128B(
      __builtin_HEXAGON_V6_vmaxub_128B(bytes, __builtin_HEXAGON_V6_lvsplatb_128B(line[1])),
      __builtin_HEXAGON_V6_lvsplatb_128B(line[2]));
}
BURIN_RT_INLINE HvxBytes hvx_narrowed(const int8_t*, HvxBytes odd, HvxBytes even,
                                      const int32_t* line) {
  const HvxBytes bytes = __builtin_HEXAGON_V6_vasrhbsat_128B(odd, even, line[0] & 7);
  return __builtin_HEXAGON_V6_vminb_128B(
      __builtin_HEXAGON_V6_vmaxb_128B(bytes, __builtin_HEXAGON_V6_lvsplatb_128B(line[1])),
      __builtin_HEXAGON_V6_lvsplatb_128B(line[2]));
}
template <class Byte>
BURIN_RT_INLINE void narrow_all(Byte* to, LineLanes c0, LineLanes c1, LineLanes c2, LineLanes c3,
                                const int32_t* line) {
  const HvxBytes bytes = hvx_narrowed(to, __builtin_HEXAGON_V6_vshufoh_128B(c3, c1),
                                      __builtin_HEXAGON_V6_vshufoh_128B(c2, c0), line);
  __builtin_memcpy(to, &bytes, sizeof bytes);
}
BURIN_RT_INLINE HvxBytes hvx_looked_up(HvxBytes at, HvxBytes low, HvxBytes high) {
  HvxBytes out = __builtin_HEXAGON_V6_vlutvvbi_128B(at, low, 0);
  out = __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, low, 1);
  out = __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, low, 2);
  out = __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, low, 3);
  out = __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, high, 4);
  out = __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, high, 5);
  out = __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, high, 6);
  return __builtin_HEXAGON_V6_vlutvvb_oracci_128B(out, at, high, 7);
}
BURIN_RT_INLINE void look_up_all(unsigned char* out, const unsigned char* in,
                                 const unsigned char* table, int32_t count) {
  // Entries 64 apart lie beside each other there.
  const HvxBytes low = __builtin_HEXAGON_V6_vshuffb_128B(hvx_load(table, 128)),
                 high = __builtin_HEXAGON_V6_vshuffb_128B(hvx_load(table + 128, 128));
  // Whole vectors, each loaded a turn ahead; aligned ones leave the unit that moves bytes to
  // tables.
  const int32_t whole = count >> 7;
  if (whole > 0) {
    HvxBytes next = hvx_load(in, 128);
    if (((reinterpret_cast<uintptr_t>(out) | reinterpret_cast<uintptr_t>(in)) & 127) == 0) {
      HvxBytes* to = reinterpret_cast<HvxBytes*>(out);
      const HvxBytes* from = reinterpret_cast<const HvxBytes*>(in);
      for (int32_t k = 1; k < whole; ++k) {
        const HvxBytes v = next;
        next = *++from;
        *to++ = hvx_looked_up(v, low, high);
      }
    } else {
      for (int32_t k = 1; k < whole; ++k) {
        const HvxBytes v = hvx_looked_up(next, low, high);
        __builtin_memcpy(&next, in + 128 * k, sizeof next);
        __builtin_memcpy(out + 128 * (k - 1), &v, sizeof v);
      }
    }
    next = hvx_looked_up(next, low, high);
    __builtin_memcpy(out + 128 * (whole - 1), &next, sizeof next);
  }
  in += 128 * whole;
  out += 128 * whole;
  count &= 127;
  if (count > 0) hvx_store(out, hvx_looked_up(hvx_load(in, count), low, high), count);
}
#else
template <class Byte>
BURIN_RT_INLINE void add_bytes(LineLanes& c0, LineLanes& c1, LineLanes& c2, LineLanes& c3,
                               const Byte* from, int32_t factor) {
  LineLanes* const all[] = {&c0, &c1, &c2, &c3};
  for (int j = 0; j < 128; ++j) {
    LineLanes& c = *all[j % 4];
    c[j / 4] = static_cast<int32_t>(static_cast<uint32_t>(c[j / 4]) +
                                    static_cast<uint32_t>(factor) * static_cast<uint32_t>(from[j]));
  }
}
template <class Byte>
BURIN_RT_INLINE void add_times(LineLanes& c0, LineLanes& c1, LineLanes& c2, LineLanes& c3,
                               const Byte* from, LineLanes by0, LineLanes by1, LineLanes by2,
                               LineLanes by3) {
  LineLanes* const all[] = {&c0, &c1, &c2, &c3};
  const LineLanes by[] = {by0, by1, by2, by3};
  for (int j = 0; j < 128; ++j) {
    LineLanes& c = *all[j % 4];
    c[j / 4] = static_cast<int32_t>(static_cast<uint32_t>(c[j / 4]) +
                                    static_cast<uint32_t>(by[j % 4][j / 4]) *
                                        static_cast<uint32_t>(from[j]));
  }
}
BURIN_RT_INLINE LineLanes limited(LineLanes c, LineLanes least, LineLanes greatest) {
  for (int j = 0; j < 32; ++j) {
    const int32_t above = c[j] < least[j] ? least[j] : c[j];
    c[j] = above > greatest[j] ? greatest[j] : above;
  }
  return c;
}
BURIN_RT_INLINE void mark_all(LineLanes& seen, LineLanes c0, LineLanes c1, LineLanes c2,
                              LineLanes c3, const int32_t* line) {
  const LineLanes all[] = {c0, c1, c2, c3};
  const uint32_t shift = static_cast<uint32_t>(line[1]) & 31,
                 reach = static_cast<uint32_t>(line[0]);
  for (int j = 0; j < 128; ++j) {
    const uint32_t at = (static_cast<uint32_t>(all[j % 4][j / 4]) + reach) << shift;
    if (at < (reach + reach) << shift)
      seen[j / 4] =
          static_cast<int32_t>(static_cast<uint32_t>(seen[j / 4]) | (0xffu << (8 * (j % 4))));
  }
}
BURIN_RT_INLINE int32_t byte_limit(const uint8_t*, int32_t bits) { return bits & 255; }
BURIN_RT_INLINE int32_t byte_limit(const int8_t*, int32_t bits) {
  return ((bits & 255) ^ 128) - 128;
}
template <class Byte>
BURIN_RT_INLINE void narrow_all(Byte* to, LineLanes c0, LineLanes c1, LineLanes c2, LineLanes c3,
                                const int32_t* line) {
  const LineLanes all[] = {c0, c1, c2, c3};
  constexpr int32_t kLow = static_cast<Byte>(-1) < static_cast<Byte>(0) ? -128 : 0;
  const int32_t least = byte_limit(to, line[1]), greatest = byte_limit(to, line[2]);
  for (int j = 0; j < 128; ++j) {
    int32_t byte = (all[j % 4][j / 4] >> 16) >> (line[0] & 7);
    byte = byte < kLow ? kLow : byte > kLow + 255 ? kLow + 255 : byte;
    byte = byte < least ? least : byte;
    to[j] = static_cast<Byte>(byte > greatest ? greatest : byte);
  }
}
#if defined(__AVX512BW__)
// A table of bytes as one of words: a permutation of two vectors finds one of 64, and the lowest
// bit of a byte says which half of it. With VBMI bytes are permuted.
typedef uint8_t TableBytes __attribute__((vector_size(64)));
typedef uint16_t TableWords __attribute__((vector_size(64)));
struct Table {
  TableWords words[4];
};
BURIN_RT_INLINE Table table_of(const unsigned char* bytes) {
  Table out;
  __builtin_memcpy(&out, bytes, sizeof out);
  return out;
}
#if defined(__AVX512VBMI__)
BURIN_RT_INLINE TableWords permuted(TableWords at, TableWords low, TableWords high) {
  __asm__("vpermi2b %2, %1, %0" : "+v"(at) : "v"(low), "v"(high));
  return at;
}
BURIN_RT_INLINE TableBytes looked_up(TableBytes at, const Table& table) {
  const TableWords low = permuted((TableWords)at, table.words[0], table.words[1]),
                   high = permuted((TableWords)at, table.words[2], table.words[3]);
  return at > 127 ? (TableBytes)high : (TableBytes)low;
}
#else
BURIN_RT_INLINE TableWords permuted(TableWords at, TableWords low, TableWords high) {
  __asm__("vpermi2w %2, %1, %0" : "+v"(at) : "v"(low), "v"(high));
  return at;
}
BURIN_RT_INLINE TableBytes looked_up(TableBytes bytes, const Table& table) {
  const TableWords at = (TableWords)bytes, even = at >> 1, odd = at >> 9;
  const TableWords of_even = (at & 0x80) != 0 ? permuted(even, table.words[2], table.words[3])
                                              : permuted(even, table.words[0], table.words[1]),
                   of_odd = at > 0x7fff ? permuted(odd, table.words[2], table.words[3])
                                        : permuted(odd, table.words[0], table.words[1]);
  return (TableBytes)(((of_even >> ((at << 3) & 8)) & 0xff) | ((of_odd >> ((at >> 5) & 8)) << 8));
}
#endif
BURIN_RT_INLINE void look_up_all(unsigned char* out, const unsigned char* in,
                                 const unsigned char* bytes, int32_t count) {
  typedef char Chars __attribute__((vector_size(64)));
#if defined(__clang__)
  typedef Chars Somewhere;
#else
  typedef char Somewhere;
#endif
  const Table table = table_of(bytes);
  for (int32_t done = 0; done < count; done += 64) {
    const int32_t left = count - done;
    const unsigned long long some = left < 64 ? (1ull << left) - 1 : ~0ull;
    const Chars at = __builtin_ia32_loaddquqi512_mask(reinterpret_cast<const Somewhere*>(in + done),
                                                      Chars{}, some);
    __builtin_ia32_storedquqi512_mask(reinterpret_cast<Somewhere*>(out + done),
                                      (Chars)looked_up((TableBytes)at, table), some);
  }
}
#else
// Some bytes at a time, where there are tables of 16 or of 64; returns how many.
#if defined(__AVX2__)
BURIN_RT_INLINE int32_t look_up_most(unsigned char* out, const unsigned char* in,
                                     const unsigned char* table, int32_t count) {
  typedef uint8_t Bytes __attribute__((vector_size(32)));
  typedef char Chars __attribute__((vector_size(32)));
  int32_t done = 0;
  for (; done + 32 <= count; done += 32) {
    Bytes at, sum = Bytes{};
    __builtin_memcpy(&at, in + done, sizeof at);
    const Bytes part = (Bytes)((uint16_t __attribute__((vector_size(32))))at >> 4) & 15,
                within = at & 15;
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) {
      Bytes entries;
      __builtin_memcpy(&entries, table + 16 * k, 16);
      __builtin_memcpy(reinterpret_cast<unsigned char*>(&entries) + 16, table + 16 * k, 16);
      const Bytes found = (Bytes)__builtin_ia32_pshufb256((Chars)entries, (Chars)within);
      sum |= found & (Bytes)(part == static_cast<uint8_t>(k));
    }
    __builtin_memcpy(out + done, &sum, sizeof sum);
  }
  return done;
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
typedef uint8_t TableBytes __attribute__((vector_size(16)));
template <int kFirst>
BURIN_RT_INLINE TableBytes of_64(TableBytes at, const unsigned char* table) {
  // Registers one behind the other hold a table.
  TableBytes part[4];
  __builtin_memcpy(part, table + kFirst, sizeof part);
  register TableBytes t0 __asm__("v16") = part[0];
  register TableBytes t1 __asm__("v17") = part[1];
  register TableBytes t2 __asm__("v18") = part[2];
  register TableBytes t3 __asm__("v19") = part[3];
  TableBytes out;
  __asm__("tbl %0.16b, {v16.16b, v17.16b, v18.16b, v19.16b}, %1.16b"
          : "=w"(out)
          : "w"(at - static_cast<uint8_t>(kFirst)), "w"(t0), "w"(t1), "w"(t2), "w"(t3));
  return out;
}
BURIN_RT_INLINE int32_t look_up_most(unsigned char* out, const unsigned char* in,
                                     const unsigned char* table, int32_t count) {
  int32_t done = 0;
  for (; done + 16 <= count; done += 16) {
    TableBytes at;
    __builtin_memcpy(&at, in + done, sizeof at);
    const TableBytes all =
        of_64<0>(at, table) | of_64<64>(at, table) | of_64<128>(at, table) | of_64<192>(at, table);
    __builtin_memcpy(out + done, &all, sizeof all);
  }
  return done;
}
#else
BURIN_RT_INLINE int32_t look_up_most(unsigned char*, const unsigned char*, const unsigned char*,
                                     int32_t) {
  return 0;
}
#endif
BURIN_RT_INLINE void look_up_all(unsigned char* out, const unsigned char* in,
                                 const unsigned char* table, int32_t count) {
  for (int32_t j = look_up_most(out, in, table, count); j < count; ++j) out[j] = table[in[j]];
}
#endif
#endif
BURIN_RT_INLINE LineLanes in_lanes(int32_t one) { return LineLanes{} + one; }

}  // namespace detail

// line: where it begins.
BURIN_RT_INLINE void start_line(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                IntVector<32>& c3, const int32_t* line) {
  c0.lanes = c1.lanes = c2.lanes = c3.lanes = detail::in_lanes(line[0]);
}
// line: what a byte is multiplied by.
template <class Byte>
BURIN_RT_INLINE void add_to_line(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                 IntVector<32>& c3, const Byte* from, const int32_t* line) {
  detail::add_bytes(c0.lanes, c1.lanes, c2.lanes, c3.lanes, from, line[0]);
}
// along: a number for each lane of the four vectors, one vector behind the other.
BURIN_RT_INLINE void start_along(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                 IntVector<32>& c3, const int32_t* along) {
  __builtin_memcpy(&c0.lanes, along, sizeof c0.lanes);
  __builtin_memcpy(&c1.lanes, along + 32, sizeof c1.lanes);
  __builtin_memcpy(&c2.lanes, along + 64, sizeof c2.lanes);
  __builtin_memcpy(&c3.lanes, along + 96, sizeof c3.lanes);
}
template <class Byte>
BURIN_RT_INLINE void add_along(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                               IntVector<32>& c3, const Byte* from, const int32_t* along) {
  IntVector<32> by0, by1, by2, by3;
  start_along(by0, by1, by2, by3, along);
  detail::add_times(c0.lanes, c1.lanes, c2.lanes, c3.lanes, from, by0.lanes, by1.lanes, by2.lanes,
                    by3.lanes);
}
// line: the least, the greatest position.
BURIN_RT_INLINE void limit_line(IntVector<32>& c0, IntVector<32>& c1, IntVector<32>& c2,
                                IntVector<32>& c3, const int32_t* line) {
  const detail::LineLanes least = detail::in_lanes(line[0]), greatest = detail::in_lanes(line[1]);
  c0.lanes = detail::limited(c0.lanes, least, greatest);
  c1.lanes = detail::limited(c1.lanes, least, greatest);
  c2.lanes = detail::limited(c2.lanes, least, greatest);
  c3.lanes = detail::limited(c3.lanes, least, greatest);
}
// line: how far from a multiple of 2^n is near, and 32 - n.
BURIN_RT_INLINE void near_line(IntVector<32>& seen, const IntVector<32>& c0,
                               const IntVector<32>& c1, const IntVector<32>& c2,
                               const IntVector<32>& c3, const int32_t* line) {
  detail::mark_all(seen.lanes, c0.lanes, c1.lanes, c2.lanes, c3.lanes, line);
}
// line: the shift beyond 16, the least, the greatest byte.
template <class Byte>
BURIN_RT_INLINE void end_line(Byte* to, const IntVector<32>& c0, const IntVector<32>& c1,
                              const IntVector<32>& c2, const IntVector<32>& c3,
                              const int32_t* line) {
  detail::narrow_all(to, c0.lanes, c1.lanes, c2.lanes, c3.lanes, line);
}

template <class To, class From, class Count>
BURIN_RT_INLINE void look_up(To* to, const From* from, const To* table, Count count) {
  detail::look_up_all(reinterpret_cast<unsigned char*>(to),
                      reinterpret_cast<const unsigned char*>(from),
                      reinterpret_cast<const unsigned char*>(table), static_cast<int32_t>(count));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_BYTE_LINES_H
