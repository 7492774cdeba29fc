// SPDX-License-Identifier: MIT-0
// Sums and products of doubles with their rounding errors (double-double arithmetic): value = high
// + low, |low| <= ulp(high)/2, about 106 bits. Used where a double is not enough: pow and large
// angles.
//
// Error-free: two_sum (Knuth, Moller), quick_two_sum (Dekker, |a| >= |b|), two_product (fused
// remainder, or Veltkamp's splitting, which overflows above 2^996).
#ifndef BURIN_RT_DOUBLE_DOUBLE_H
#define BURIN_RT_DOUBLE_DOUBLE_H

#include "fma.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

struct DoubleDouble {
  double high;
  double low;
};

static inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
static inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

static inline DoubleDouble two_product(double a, double b) {
#if BURIN_RT_FMA64
  const double high = product(a, b);
  return {high, madd(a, b, -high)};
#else
  const double high = a * b;
  const double a_scaled = a * 134217729.0;  // 2^27 + 1
  const double a_high = a_scaled - (a_scaled - a);
  const double a_low = a - a_high;
  const double b_scaled = b * 134217729.0;
  const double b_high = b_scaled - (b_scaled - b);
  const double b_low = b - b_high;
  return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

static inline DoubleDouble dd_add(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.high, b.high);
  return quick_two_sum(s.high, s.low + (a.low + b.low));
}
static inline DoubleDouble dd_multiply(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = two_product(a.high, b.high);
  return quick_two_sum(p.high, madd(a.high, b.low, madd(a.low, b.high, p.low)));
}
static inline DoubleDouble dd_multiply(DoubleDouble a, double b) {
  const DoubleDouble p = two_product(a.high, b);
  return quick_two_sum(p.high, madd(a.low, b, p.low));
}

}  // namespace detail
}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_DOUBLE_DOUBLE_H
