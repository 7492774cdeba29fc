// Intervals of floats through arithmetic. All bounds are those of the rounded operations, which are
// monotone.
#pragma once

#include "kernel/expr/expr.h"

namespace burin {

// Of all values but NaN.
struct FloatBounds {
  double lo = 0, hi = 0;  // infinities are values
  double least = 0;       // nothing but zero is closer to zero
  bool zero = true;       // may be zero
  double lost = 0;        // what underflow may have taken from it
  double cap = 0;         // no finite value is larger

  bool is_finite() const;
  double magnitude() const;  // the larger one of |lo| and |hi|
};

FloatBounds anything();
FloatBounds between(double lo, double hi);
FloatBounds unary_bounds(Unary op, Type type, const FloatBounds& a);
FloatBounds binary_bounds(Binary op, Type type, const FloatBounds& a, const FloatBounds& b);

// The largest finite number.
double largest(Type type);

// The bounds with infinities cut off.
FloatBounds finite_part(FloatBounds bounds, Type type);

// Above it every float is normal.
double least_normal(Type type);

}  // namespace burin
