// SPDX-License-Identifier: MIT-0
// The greatest or least bytes of windows of a plane, all rows of results in one call.
//
//   to[row * kCount + column] = fold over r < kTaps, c < kColumns of
//                               from[(kStep * row + r) * kPitch + kStride * column + c]
//
// Rows of results lie side by side: a whole vector that a row does not fill is written again by the
// next row, but at the end. What is read may reach to the ends of the aligned vectors (moves.h).
#ifndef BURIN_RT_POOL_ROWS_H
#define BURIN_RT_POOL_ROWS_H

#include <stdint.h>

#include "fold_bytes.h"
#include "moves.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <int kStride, int kTaps, int kColumns, int kStep, int kCount, int kPitch>
struct Pooled {
  static constexpr int kVectors = (kCount + 127) / 128;
  // Of a row of windows: what whole vectors read, and what is there.
  static constexpr int kReads = (kTaps - 1) * kPitch + kColumns - 1 + kStride * 128 * kVectors,
                       kNeeds = (kTaps - 1) * kPitch + kStride * (kCount - 1) + kColumns;
  static constexpr int kFrom = kStep * kPitch;
  // Whether every vector is aligned where both planes begin so.
  static constexpr bool kAligned = kPitch % 128 == 0 && kCount % 128 == 0 && kColumns <= kStride;
  // Rows of results whose whole vectors are read and written within `rows` of them.
  static constexpr int whole_of(int room, int first, int step) {
    return room < first ? 0 : (room - first) / step + 1;
  }
  static constexpr int least(int a, int b) { return a < b ? a : b; }
  static constexpr int whole(int rows) {
    return least(whole_of((rows - 1) * kFrom + kNeeds, kReads, kFrom),
                 whole_of(rows * kCount, 128 * kVectors, kCount));
  }
};

#if defined(__HVX_LENGTH__) && __HVX_LENGTH__ == 128
struct WholeVectors {
  static BURIN_RT_INLINE_MEMBER HvxBytes load(const unsigned char* from, int32_t) {
    HvxBytes v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static BURIN_RT_INLINE_MEMBER void store(unsigned char* to, HvxBytes v) {
    __builtin_memcpy(to, &v, sizeof v);
  }
};
struct AlignedVectors {
  static BURIN_RT_INLINE_MEMBER HvxBytes load(const unsigned char* from, int32_t) {
    return *reinterpret_cast<const HvxBytes*>(from);
  }
  static BURIN_RT_INLINE_MEMBER void store(unsigned char* to, HvxBytes v) {
    *reinterpret_cast<HvxBytes*>(to) = v;
  }
};
struct SomeBytes {
  static BURIN_RT_INLINE_MEMBER HvxBytes load(const unsigned char* from, int32_t bytes) {
    return hvx_load(from, bytes < 128 ? bytes : 128);
  }
};
// The fold over the taps of a column.
template <int kTaps, int kPitch, class How, class Load, class Byte>
BURIN_RT_INLINE HvxBytes pooled_taps(const Byte* to, const unsigned char* from, int32_t bytes) {
  HvxBytes v = Load::load(from, bytes);
#pragma GCC unroll 64
  for (int r = 1; r < kTaps; ++r)
    v = hvx_folded(How{}, to, v, Load::load(from + r * kPitch, bytes));
  return v;
}
// The fold of columns c and c + 1, in the even places.
template <bool kBoth, class How, class Byte>
BURIN_RT_INLINE HvxBytes pooled_pair(const Byte* to, HvxBytes v) {
  return kBoth ? hvx_folded(How{}, to, v, __builtin_HEXAGON_V6_vlsrh_128B(v, 8)) : v;
}
// `count` of 1 to 128 results. Of stride 2 they are in every second place until the end.
template <int kStride, int kTaps, int kColumns, int kPitch, class How, class Load, class Byte>
BURIN_RT_INLINE HvxBytes pooled_vector(const Byte* to, const unsigned char* from, int32_t count) {
  HvxBytes first = {}, second = {};
#pragma GCC unroll 64
  for (int c = 0; c < kColumns; c += kStride) {
    const bool both = kStride == 2 && c + 1 < kColumns;
    const int32_t bytes = kStride * (count - 1) + 1 + (both ? 1 : 0);
    const auto folded_at = [&](int32_t place) {
      const HvxBytes v = pooled_taps<kTaps, kPitch, How, Load>(to, from + c + place, bytes - place);
      return both ? pooled_pair<kStride == 2, How>(to, v) : v;
    };
    const HvxBytes one = folded_at(0);
    first = c == 0 ? one : hvx_folded(How{}, to, first, one);
    if (kStride == 1 || bytes <= 128) continue;
    const HvxBytes other = folded_at(128);
    second = c == 0 ? other : hvx_folded(How{}, to, second, other);
  }
  return kStride == 1 ? first : __builtin_HEXAGON_V6_vpackeb_128B(second, first);
}
template <class How, class Load, int kStride, int kTaps, int kColumns, int kStep, int kCount,
          int kPitch, class Byte>
BURIN_RT_INLINE void pool_whole(Byte* to, const unsigned char* in, int32_t rows) {
  typedef Pooled<kStride, kTaps, kColumns, kStep, kCount, kPitch> Sizes;
  for (int32_t row = 0; row < rows; ++row, to += kCount, in += Sizes::kFrom) {
#pragma GCC unroll 4
    for (int32_t v = 0; v < Sizes::kVectors; ++v) {
      const HvxBytes all = pooled_vector<kStride, kTaps, kColumns, kPitch, How, Load>(
          to, in + kStride * 128 * v, 128);
      Load::store(reinterpret_cast<unsigned char*>(to + 128 * v), all);
    }
  }
}
template <class How, int kStride, int kTaps, int kColumns, int kStep, int kCount, int kPitch,
          class Byte>
BURIN_RT_INLINE void pool_all(Byte* to, const Byte* from, int32_t rows) {
  typedef Pooled<kStride, kTaps, kColumns, kStep, kCount, kPitch> Sizes;
  const unsigned char* in = reinterpret_cast<const unsigned char*>(from);
  const int32_t whole = Sizes::whole(rows);
  if (Sizes::kAligned &&
      ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) & 127) == 0) {
    pool_whole<How, AlignedVectors, kStride, kTaps, kColumns, kStep, kCount, kPitch>(to, in, whole);
  } else {
    pool_whole<How, WholeVectors, kStride, kTaps, kColumns, kStep, kCount, kPitch>(to, in, whole);
  }
  to += whole * kCount;
  in += whole * Sizes::kFrom;
  for (int32_t row = whole; row < rows; ++row, to += kCount, in += Sizes::kFrom) {
    for (int32_t first = 0; first < kCount; first += 128) {
      const int32_t count = kCount - first < 128 ? kCount - first : 128;
      hvx_store(to + first,
                pooled_vector<kStride, kTaps, kColumns, kPitch, How, SomeBytes>(
                    to, in + kStride * first, count),
                count);
    }
  }
}
#else
template <class How, int kStride, int kTaps, int kColumns, int kStep, int kCount, int kPitch,
          class Byte>
BURIN_RT_INLINE void pool_all(Byte* to, const Byte* from, int32_t rows) {
  for (int32_t row = 0; row < rows; ++row) {
    for (int32_t column = 0; column < kCount; ++column) {
      const Byte* const first = from + row * kStep * kPitch + kStride * column;
      Byte out = *first;
      for (int32_t r = 0; r < kTaps; ++r) {
        for (int32_t c = 0; c < kColumns; ++c) out = folded(How{}, out, first[r * kPitch + c]);
      }
      to[row * kCount + column] = out;
    }
  }
}
#endif

}  // namespace detail

template <int kStride, int kTaps, int kColumns, int kStep, int kCount, int kPitch, class Byte,
          class Rows>
BURIN_RT_INLINE void pool_greatest(Byte* to, const Byte* from, Rows rows) {
  detail::pool_all<detail::Greatest, kStride, kTaps, kColumns, kStep, kCount, kPitch>(
      to, from, static_cast<int32_t>(rows));
}
template <int kStride, int kTaps, int kColumns, int kStep, int kCount, int kPitch, class Byte,
          class Rows>
BURIN_RT_INLINE void pool_least(Byte* to, const Byte* from, Rows rows) {
  detail::pool_all<detail::Least, kStride, kTaps, kColumns, kStep, kCount, kPitch>(
      to, from, static_cast<int32_t>(rows));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_POOL_ROWS_H
