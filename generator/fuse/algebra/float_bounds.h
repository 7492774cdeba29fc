// What a float of an expression can be, and whether two expressions overflow and underflow alike:
// what has to be known before arithmetic is done in another order. All bounds are those of the
// rounded operations, which are monotone.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "fuse/algebra/float_intervals.h"
#include "kernel/kernel.h"

namespace burin {

// The bounds of expressions of one kernel, which must outlive it. O(nodes) for all of them.
class ValueBounds {
 public:
  ValueBounds(const std::vector<Value>& values, const Kernel& kernel)
      : values_(values), kernel_(kernel) {}

  const FloatBounds& of(const Expr& expr);

 private:
  FloatBounds compute(const Expr& expr);
  FloatBounds of_load(const Expr& expr);
  FloatBounds of_let(int number, int component);

  const std::vector<Value>& values_;
  const Kernel& kernel_;
  std::map<const ExprNode*, FloatBounds> known_;
  std::vector<Expr> keep_;  // so that the addresses above stay taken
  std::map<ValueId, FloatBounds> constants_;
  std::map<std::pair<int, int>, FloatBounds> lets_;
};

// The bounds of `expr` where each of `leaves` may be any finite value within its own. nullopt: some
// step on the way may leave the finite numbers.
std::optional<FloatBounds> bounds_in_range(const Expr& expr, const std::vector<Expr>& leaves,
                                           ValueBounds& bounds);

// Whether that is so and all that underflow takes is less than the least normal number.
bool stays_in_range(const Expr& expr, const std::vector<Expr>& leaves, ValueBounds& bounds);

// Whether a sum of `count` such values, and each of its partial sums, stays finite.
bool sum_stays_finite(const FloatBounds& each, double count, Type type);

}  // namespace burin
