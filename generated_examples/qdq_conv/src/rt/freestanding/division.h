// SPDX-License-Identifier: MIT-0
// Integer division by shifts and subtractions, for targets whose compiler calls a library function
// for `/`. A divisor of zero gives a quotient of all ones and the dividend as remainder; INT_MIN /
// -1 is INT_MIN. One step per quotient bit; leading zeros are skipped.
#ifndef BURIN_RT_FREESTANDING_DIVISION_H
#define BURIN_RT_FREESTANDING_DIVISION_H

#include "../bits.h"
#include "../tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <class U>
struct QuotientAndRemainder {
  U quotient;
  U remainder;
};

// U: uint32_t or uint64_t.
template <class U>
static inline QuotientAndRemainder<U> divide_unsigned(U a, U b) {
  if (b == 0) return {static_cast<U>(~U{0}), a};
  if (a < b) return {0, a};
  uint32_t shift = count_leading_zeros(b) - count_leading_zeros(a);
  U divisor = b << shift;
  U quotient = 0;
  for (;;) {
    quotient <<= 1;
    if (a >= divisor) {
      a -= divisor;
      quotient |= 1u;
    }
    if (shift == 0) return {quotient, a};
    --shift;
    divisor >>= 1;
  }
}

// The same on two's complement numbers: quotient towards zero, remainder with the sign of a.
template <class U>
static inline QuotientAndRemainder<U> divide_signed(U a, U b) {
  const U top = U{1} << (8u * sizeof(U) - 1u);
  const bool a_negative = (a & top) != 0;
  const bool b_negative = (b & top) != 0;
  const U zero = 0;
  const QuotientAndRemainder<U> magnitude =
      divide_unsigned<U>(a_negative ? zero - a : a, b_negative ? zero - b : b);
  return {a_negative != b_negative ? zero - magnitude.quotient : magnitude.quotient,
          a_negative ? zero - magnitude.remainder : magnitude.remainder};
}

}  // namespace detail
}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FREESTANDING_DIVISION_H
