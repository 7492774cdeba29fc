// SPDX-License-Identifier: MIT-0
// Casts from float and double to integers, defined for every input.
//
// to_integer_wrap<I>:     what C++ on x86-64 and NumPy there compute. Truncates; for types of up to
// 32 bits (uint32 aside)
//                         an input outside int32 gives INT32_MIN, whose low bits remain; uint32
//                         goes through int64, uint64 through int64 below 2^63 and above it by
//                         subtracting 2^63. NaN counts as outside.
// to_integer_saturate<I>: truncates and limits to the range of I; NaN gives 0. What quantisation
// needs. Branch-free; vectorises where the target converts between the two widths.
#ifndef BURIN_RT_CAST_H
#define BURIN_RT_CAST_H

#include "fma.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <class F>
static inline int32_t to_int32(F x) {
  const bool inside =
      (x > static_cast<F>(-2147483648.0) - static_cast<F>(1)) & (x < static_cast<F>(2147483648.0));
  const int32_t value = static_cast<int32_t>(select(inside, x, static_cast<F>(0)));
  return static_cast<int32_t>(select(inside, static_cast<uint32_t>(value), 0x80000000u));
}
template <class F>
static inline int64_t to_int64(F x) {
  const bool inside =
      (x >= static_cast<F>(-9223372036854775808.0)) & (x < static_cast<F>(9223372036854775808.0));
  const int64_t value = static_cast<int64_t>(select(inside, x, static_cast<F>(0)));
  return static_cast<int64_t>(select(inside, static_cast<uint64_t>(value), 0x8000000000000000u));
}

template <class I>
struct IntegerRange;
template <>
struct IntegerRange<int8_t> {
  static constexpr double kLow = -128.0, kAbove = 128.0;
};
template <>
struct IntegerRange<uint8_t> {
  static constexpr double kLow = 0.0, kAbove = 256.0;
};
template <>
struct IntegerRange<int16_t> {
  static constexpr double kLow = -32768.0, kAbove = 32768.0;
};
template <>
struct IntegerRange<uint16_t> {
  static constexpr double kLow = 0.0, kAbove = 65536.0;
};
template <>
struct IntegerRange<int32_t> {
  static constexpr double kLow = -2147483648.0, kAbove = 2147483648.0;
};
template <>
struct IntegerRange<uint32_t> {
  static constexpr double kLow = 0.0, kAbove = 4294967296.0;
};
template <>
struct IntegerRange<int64_t> {
  static constexpr double kLow = -9223372036854775808.0, kAbove = 9223372036854775808.0;
};
template <>
struct IntegerRange<uint64_t> {
  static constexpr double kLow = 0.0, kAbove = 18446744073709551616.0;
};

}  // namespace detail

template <class I, class F>
static inline I to_integer_wrap(F x) {
  constexpr bool kUnsigned = static_cast<I>(-1) > static_cast<I>(0);
  if (sizeof(I) == 8 && kUnsigned) {
    const F half = static_cast<F>(9223372036854775808.0);
    const bool upper = x >= half;
    const uint64_t low = static_cast<uint64_t>(detail::to_int64(select(upper, x - half, x)));
    return static_cast<I>(low ^ select(upper, 0x8000000000000000u, uint64_t{0}));
  }
  if (sizeof(I) == 8 || (sizeof(I) == 4 && kUnsigned)) return static_cast<I>(detail::to_int64(x));
  return static_cast<I>(detail::to_int32(x));
}

template <class I, class F>
static inline I to_integer_saturate(F x) {
  using Range = detail::IntegerRange<I>;
  constexpr I kLow = static_cast<I>(Range::kLow);
  constexpr I kHigh = static_cast<I>(~kLow);  // two's complement: all bits but those of the lowest
  if (sizeof(I) < 4) {                        // both ends are exact in F
    const F limited = clamp(x, static_cast<F>(Range::kLow), static_cast<F>(Range::kAbove - 1.0));
    return static_cast<I>(static_cast<int32_t>(select(x == x, limited, static_cast<F>(0))));
  }
  const bool above = x >= static_cast<F>(Range::kAbove);
  const bool below = x < static_cast<F>(Range::kLow);
  const bool inside = (x == x) & !above & !below;
  const I value = static_cast<I>(select(inside, x, static_cast<F>(0)));
  if (sizeof(I) == 4) {
    const uint32_t raised =
        select(below, static_cast<uint32_t>(kLow), static_cast<uint32_t>(value));
    return static_cast<I>(select(above, static_cast<uint32_t>(kHigh), raised));
  }
  const uint64_t raised = select(below, static_cast<uint64_t>(kLow), static_cast<uint64_t>(value));
  return static_cast<I>(select(above, static_cast<uint64_t>(kHigh), raised));
}

// An integer limited to the range of another integer type.
template <class I, class From>
static inline I saturate(From a) {
  constexpr I kLow = static_cast<I>(detail::IntegerRange<I>::kLow);
  constexpr I kHigh = static_cast<I>(~kLow);
  if (a < static_cast<From>(0)) {
    return static_cast<int64_t>(a) < static_cast<int64_t>(kLow) ? kLow : static_cast<I>(a);
  }
  return static_cast<uint64_t>(a) > static_cast<uint64_t>(kHigh) ? kHigh : static_cast<I>(a);
}

// Integers of two and four bits, which compute in 32: the low bits, or the nearest end of the
// range.
static inline int32_t wrap_i2(int32_t a) {
  return static_cast<int32_t>((static_cast<uint32_t>(a) & 3u) ^ 2u) - 2;
}
static inline uint32_t wrap_u2(uint32_t a) { return a & 3u; }
static inline int32_t saturate_i2(int32_t a) { return a < -2 ? -2 : a > 1 ? 1 : a; }
static inline uint32_t saturate_u2(uint32_t a) { return a > 3u ? 3u : a; }
static inline int32_t wrap_i4(int32_t a) {
  return static_cast<int32_t>((static_cast<uint32_t>(a) & 15u) ^ 8u) - 8;
}
static inline uint32_t wrap_u4(uint32_t a) { return a & 15u; }
static inline int32_t saturate_i4(int32_t a) { return a < -8 ? -8 : a > 7 ? 7 : a; }
static inline uint32_t saturate_u4(uint32_t a) { return a > 15u ? 15u : a; }

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_CAST_H
