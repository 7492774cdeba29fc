// SPDX-License-Identifier: MIT-0
// Integer arithmetic defined for every input: division, remainder, power, shifts, wrapping sums.
//
// Dividing by zero gives 0 (quotient and remainder), INT_MIN / -1 gives INT_MIN and remainder 0,
// overflow wraps, a shift by the width or more gives 0 (arithmetic right shifts of negative
// numbers: -1).
#ifndef BURIN_RT_INTEGER_H
#define BURIN_RT_INTEGER_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <class I>
struct UnsignedOf;
template <>
struct UnsignedOf<int8_t> {
  using Type = uint8_t;
};
template <>
struct UnsignedOf<uint8_t> {
  using Type = uint8_t;
};
template <>
struct UnsignedOf<int16_t> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<uint16_t> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<int32_t> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<uint32_t> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<int64_t> {
  using Type = uint64_t;
};
template <>
struct UnsignedOf<uint64_t> {
  using Type = uint64_t;
};

// A parameter of this type decides nothing: a literal beside a number may be of another type of as
// many bits (newlib's int32_t is a long).
template <class I>
struct Same {
  using Type = I;
};

template <class I>
constexpr bool is_signed() {
  return static_cast<I>(-1) < static_cast<I>(1);
}
// The divisor if the division is defined, else 1.
template <class I>
static inline I safe_divisor(I b) {
  return b == 0 || (is_signed<I>() && b == static_cast<I>(-1)) ? static_cast<I>(1) : b;
}

}  // namespace detail

template <class I>
static inline I add_wrap(I a, typename detail::Same<I>::Type b) {
  return static_cast<I>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <class I>
static inline I subtract_wrap(I a, typename detail::Same<I>::Type b) {
  return static_cast<I>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
template <class I>
static inline I multiply_wrap(I a, typename detail::Same<I>::Type b) {
  return static_cast<I>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <class I>
static inline I negate_wrap(I a) {
  return static_cast<I>(uint64_t{0} - static_cast<uint64_t>(a));
}

// Quotient rounded towards zero.
template <class I>
static inline I divide(I a, typename detail::Same<I>::Type b) {
  const I q = static_cast<I>(a / detail::safe_divisor(b));
  if (b == 0) return static_cast<I>(0);
  return detail::is_signed<I>() && b == static_cast<I>(-1) ? negate_wrap(a) : q;
}
// Remainder with the sign of the dividend: a - b*divide(a, b).
template <class I>
static inline I remainder(I a, typename detail::Same<I>::Type b) {
  return b == 0 ? static_cast<I>(0) : static_cast<I>(a % detail::safe_divisor(b));
}
// Quotient rounded towards minus infinity, and the remainder with the sign of the divisor.
template <class I>
static inline I floor_divide(I a, typename detail::Same<I>::Type b) {
  const I q = divide(a, b);
  const I r = remainder(a, b);
  return r != 0 && (r < 0) != (b < 0) ? static_cast<I>(q - 1) : q;
}
template <class I>
static inline I floor_mod(I a, typename detail::Same<I>::Type b) {
  const I r = remainder(a, b);
  return r != 0 && (r < 0) != (b < 0) ? static_cast<I>(r + b) : r;
}

// base^exponent, wrapping. A negative exponent truncates 1/base^-exponent: 1 for base 1, +-1 for
// base -1, else 0.
template <class I, class E>
static inline I integer_pow(I base, E exponent) {
  if (detail::is_signed<E>() && exponent < 0) {
    if (base == static_cast<I>(1)) return base;
    if (detail::is_signed<I>() && base == static_cast<I>(-1)) {
      return static_cast<I>((exponent & 1) != 0 ? -1 : 1);
    }
    return static_cast<I>(0);
  }
  uint64_t result = 1;
  uint64_t square = static_cast<uint64_t>(base);
  for (uint64_t n = static_cast<uint64_t>(exponent); n != 0; n >>= 1) {
    if ((n & 1u) != 0) result *= square;
    square *= square;
  }
  return static_cast<I>(result);
}

template <class I>
static inline I shift_left(I a, typename detail::Same<I>::Type n) {
  using U = typename detail::UnsignedOf<I>::Type;
  const bool defined = static_cast<U>(n) < 8 * sizeof(I);
  const uint64_t shifted = static_cast<uint64_t>(static_cast<U>(a))
                           << (defined ? static_cast<U>(n) : 0u);
  return defined ? static_cast<I>(shifted) : static_cast<I>(0);
}
template <class I>
static inline I shift_right(I a, typename detail::Same<I>::Type n) {
  using U = typename detail::UnsignedOf<I>::Type;
  const uint64_t width = 8 * sizeof(I);
  const uint64_t count = static_cast<U>(n);
  if (count < width) return static_cast<I>(a >> count);
  return static_cast<I>(a < 0 ? -1 : 0);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_INTEGER_H
