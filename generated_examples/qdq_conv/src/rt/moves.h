// SPDX-License-Identifier: MIT-0
// Bytes on their way to where products read them: side by side, or in groups of four, one of each
// of four rows. Between signed and unsigned ones numbers differ by 128, which is the highest bit.
//
// What is written are `count` bytes, or groups, which are aligned as groups; what is read may
// reach to the ends of the aligned vectors that have them, and so to no other page.
#ifndef BURIN_RT_MOVES_H
#define BURIN_RT_MOVES_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <class To, class From>
struct Sign {
  static constexpr int32_t kBits = -1;
};
template <class Byte>
struct Sign<Byte, Byte> {
  static constexpr int32_t kBits = 0;
};

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
typedef IntVector<32>::Lanes HvxBytes;

// The first `bytes` of 1 to 128 at a place; what is behind them is anything.
BURIN_RT_INLINE HvxBytes hvx_load(const void* from, int32_t bytes) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(from);
  const uintptr_t last = at + static_cast<uintptr_t>(bytes) - 1;
  return __builtin_HEXAGON_V6_valignb_128B(
      *reinterpret_cast<const HvxBytes*>(last & ~uintptr_t{127}),
      *reinterpret_cast<const HvxBytes*>(at & ~uintptr_t{127}), static_cast<int32_t>(at));
}
// Stores as many, and nothing else: what is in the next vector by a store there, which else stores
// nothing to the first one. A branch would part what stands around it.
BURIN_RT_INLINE void hvx_store(void* to, HvxBytes v, int32_t bytes) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(to);
  HvxBytes* const first = reinterpret_cast<HvxBytes*>(at & ~uintptr_t{127});
  const int32_t begin = static_cast<int32_t>(at & 127), end = begin + bytes;
  const HvxBytes turned = __builtin_HEXAGON_V6_vror_128B(v, -begin);
  const auto before = __builtin_HEXAGON_V6_pred_scalar2_128B(begin);
  __builtin_HEXAGON_V6_vS32b_qpred_ai_128B(
      __builtin_HEXAGON_V6_pred_and_n_128B(
          __builtin_HEXAGON_V6_pred_scalar2v2_128B(end < 128 ? end : 128), before),
      first, turned);
  const int32_t next = end > 128 ? end - 128 : 0;
  __builtin_HEXAGON_V6_vS32b_qpred_ai_128B(__builtin_HEXAGON_V6_pred_scalar2_128B(next),
                                           first + (next > 0 ? 1 : 0), turned);
}
BURIN_RT_INLINE HvxBytes hvx_bits(int32_t sign) {
  return __builtin_HEXAGON_V6_lvsplatw_128B(sign & static_cast<int32_t>(0x80808080u));
}
// Every kStride-th byte, `count` of 1 to 128 of them.
template <int kStride>
BURIN_RT_INLINE HvxBytes hvx_row(const unsigned char* from, int32_t count) {
  if (kStride == 1) return hvx_load(from, count);
  const int32_t bytes = 2 * count - 1;
  const HvxBytes first = hvx_load(from, bytes < 128 ? bytes : 128);
  const HvxBytes second = bytes > 128 ? hvx_load(from + 128, bytes - 128) : first;
  return __builtin_HEXAGON_V6_vpackeb_128B(second, first);
}
// Every kStride-th of the bytes of whole vectors.
template <int kStride>
BURIN_RT_INLINE HvxBytes hvx_whole_row(const unsigned char* from) {
  HvxBytes first, second;
  __builtin_memcpy(&first, from, sizeof first);
  if (kStride == 1) return first;
  // The last byte of the second one is not read.
  second = hvx_load(from + 128, 127);
  return __builtin_HEXAGON_V6_vpackeb_128B(second, first);
}
template <int kStride>
BURIN_RT_INLINE void copy_all(void* to, const void* from, int32_t count, int32_t sign) {
  const HvxBytes bits = hvx_bits(sign);
  unsigned char* out = static_cast<unsigned char*>(to);
  const unsigned char* in = static_cast<const unsigned char*>(from);
  for (; count >= 128; count -= 128, out += 128, in += kStride * 128) {
    const HvxBytes v = hvx_whole_row<kStride>(in) ^ bits;
    __builtin_memcpy(out, &v, sizeof v);
  }
  if (count > 0) hvx_store(out, hvx_row<kStride>(in, count) ^ bits, count);
}
// Elements of b between those of a, as two vectors.
typedef int32_t HvxPair __attribute__((vector_size(256)));
// Every byte twice.
BURIN_RT_INLINE void copy_all_twice(void* to, const void* from, int32_t count) {
  unsigned char* out = static_cast<unsigned char*>(to);
  const unsigned char* in = static_cast<const unsigned char*>(from);
  for (; count >= 128; count -= 128, out += 128, in += 64) {
    const HvxBytes v = hvx_load(in, 64);
    const HvxBytes twice =
        __builtin_HEXAGON_V6_lo_128B(__builtin_HEXAGON_V6_vshuffvdd_128B(v, v, -1));
    __builtin_memcpy(out, &twice, sizeof twice);
  }
  if (count > 0) {
    const HvxBytes v = hvx_load(in, (count + 1) / 2);
    hvx_store(out, __builtin_HEXAGON_V6_lo_128B(__builtin_HEXAGON_V6_vshuffvdd_128B(v, v, -1)),
              count);
  }
}
// Groups of four in order, of 128 columns of four rows.
struct HvxGroups {
  HvxBytes at[4];
};
BURIN_RT_INLINE HvxGroups hvx_groups(HvxBytes row0, HvxBytes row1, HvxBytes row2, HvxBytes row3,
                                     HvxBytes bits) {
  const HvxPair low = __builtin_HEXAGON_V6_vshuffvdd_128B(row1, row0, -1),
                high = __builtin_HEXAGON_V6_vshuffvdd_128B(row3, row2, -1);
  const HvxPair first = __builtin_HEXAGON_V6_vshuffvdd_128B(__builtin_HEXAGON_V6_lo_128B(high),
                                                            __builtin_HEXAGON_V6_lo_128B(low), -2),
                second = __builtin_HEXAGON_V6_vshuffvdd_128B(__builtin_HEXAGON_V6_hi_128B(high),
                                                             __builtin_HEXAGON_V6_hi_128B(low), -2);
  return {{__builtin_HEXAGON_V6_lo_128B(first) ^ bits, __builtin_HEXAGON_V6_hi_128B(first) ^ bits,
           __builtin_HEXAGON_V6_lo_128B(second) ^ bits,
           __builtin_HEXAGON_V6_hi_128B(second) ^ bits}};
}
template <int kStride>
BURIN_RT_INLINE void interleave_all(void* to, const void* from0, const void* from1,
                                    const void* from2, const void* from3, int32_t count,
                                    int32_t sign) {
  const HvxBytes bits = hvx_bits(sign);
  const unsigned char* in[] = {
      static_cast<const unsigned char*>(from0), static_cast<const unsigned char*>(from1),
      static_cast<const unsigned char*>(from2), static_cast<const unsigned char*>(from3)};
  unsigned char* out = static_cast<unsigned char*>(to);
  int32_t done = 0;
  for (; done + 128 <= count; done += 128, out += 512) {
    const HvxGroups all = hvx_groups(hvx_whole_row<kStride>(in[0] + kStride * done),
                                     hvx_whole_row<kStride>(in[1] + kStride * done),
                                     hvx_whole_row<kStride>(in[2] + kStride * done),
                                     hvx_whole_row<kStride>(in[3] + kStride * done), bits);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; ++k) __builtin_memcpy(out + 128 * k, &all.at[k], sizeof all.at[k]);
  }
  if (done < count) {
    const int32_t left = count - done;
    const HvxGroups all = hvx_groups(hvx_row<kStride>(in[0] + kStride * done, left),
                                     hvx_row<kStride>(in[1] + kStride * done, left),
                                     hvx_row<kStride>(in[2] + kStride * done, left),
                                     hvx_row<kStride>(in[3] + kStride * done, left), bits);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; ++k) {
      if (left >= 32 * (k + 1)) {
        __builtin_memcpy(out + 128 * k, &all.at[k], sizeof all.at[k]);
      } else if (left > 32 * k) {
        hvx_store(out + 128 * k, all.at[k], 4 * (left - 32 * k));
      }
    }
  }
}
#else
BURIN_RT_INLINE void copy_all_twice(void* to, const void* from, int32_t count) {
  for (int32_t j = 0; j < count; ++j)
    static_cast<unsigned char*>(to)[j] = static_cast<const unsigned char*>(from)[j / 2];
}
template <int kStride>
BURIN_RT_INLINE void copy_all(void* to, const void* from, int32_t count, int32_t sign) {
  for (int32_t j = 0; j < count; ++j)
    static_cast<unsigned char*>(to)[j] = static_cast<unsigned char>(
        static_cast<const unsigned char*>(from)[kStride * j] ^ (sign & 0x80));
}
template <int kStride>
BURIN_RT_INLINE void interleave_all(void* to, const void* from0, const void* from1,
                                    const void* from2, const void* from3, int32_t count,
                                    int32_t sign) {
  const void* const from[] = {from0, from1, from2, from3};
  for (int32_t q = 0; q < 4; ++q) {
    for (int32_t j = 0; j < count; ++j)
      static_cast<unsigned char*>(to)[4 * j + q] = static_cast<unsigned char>(
          static_cast<const unsigned char*>(from[q])[kStride * j] ^ (sign & 0x80));
  }
}
#endif

}  // namespace detail

template <int kStride, class To, class From, class Count>
BURIN_RT_INLINE void copy_bytes(To* to, const From* from, Count count) {
  detail::copy_all<kStride>(to, from, static_cast<int32_t>(count), detail::Sign<To, From>::kBits);
}
template <class Byte, class Count>
BURIN_RT_INLINE void copy_twice(Byte* to, const Byte* from, Count count) {
  detail::copy_all_twice(to, from, static_cast<int32_t>(count));
}
template <int kStride, class To, class From, class Count>
BURIN_RT_INLINE void interleave(To* to, const From* from0, const From* from1, const From* from2,
                                const From* from3, Count count) {
  detail::interleave_all<kStride>(to, from0, from1, from2, from3, static_cast<int32_t>(count),
                                  detail::Sign<To, From>::kBits);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_MOVES_H
