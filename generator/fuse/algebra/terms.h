// Rewrites of one sum or product: DNNFusion's associative and distributive rules.
//   associative    (x + c) + d = x + (c + d), (x * c) * d = x * (c * d) with known c and d;
//                  1/a * 1/b = 1 / (a * b); sqrt(a) * sqrt(b) = sqrt(a * b), of a itself: a;
//                  |a| * |b| = |a * b|; exp(a) * exp(b) = exp(a + b); log(a) + log(b) = log(a * b)
//   distributive   a * c + b * c = (a + b) * c, a / c + b / c = (a + b) / c, a + a * c = a * (1 +
//   c)
// One is made where it takes less work.
//
// What it may change: integers wrap, so nothing. Of floats |a| * |b| = |a * b| changes nothing,
// since rounding knows no signs; it is the only one that is made by itself. All others change
// roundings without a bound: (x + c) - c is x rounded to the digits that c leaves it, (a + b) * c
// has not the products' cancellation, the exponents and logarithms not theirs. They need fast_math,
// and then both sides overflow and underflow alike for every value that the operands can have
// (fuse/algebra/float_bounds.h).
#pragma once

#include <optional>

#include "fuse/access/known.h"
#include "fuse/access/options.h"
#include "fuse/algebra/float_bounds.h"

namespace burin {

// What arithmetic takes, at the hints of sizes: every operation once for each point of the axes
// that it depends on, operations on constants not at all.
class Work {
 public:
  Work(const Kernel& kernel, KnownExpressions& known, int function_operations)
      : kernel_(kernel), known_(known), function_operations_(function_operations) {}

  double of(const Expr& expr);
  double of(const Kernel& kernel);  // with the axes of the one above
  // Over constants only, and small enough to be computed now (fuse/constants/hoist_constants.cpp).
  bool is_folded(const Expr& expr);

 private:
  const Kernel& kernel_;
  KnownExpressions& known_;
  int function_operations_;
};

class TermRules {
 public:
  TermRules(ValueBounds& bounds, Work& work, const FuseOptions& options)
      : bounds_(bounds), work_(work), options_(options) {}

  // What one rule makes of an expression. `exact`: nothing that rounds otherwise, whatever the
  // options allow.
  std::optional<Expr> apply(const Expr& expr, bool exact, Rewrites& made);

 private:
  std::optional<Expr> accepted(const Expr& old, const std::optional<Expr>& made) const;
  std::optional<Expr> gathered_sum(const Expr& expr);
  std::optional<Expr> gathered_product(const Expr& expr);
  std::optional<Expr> factored(const Expr& expr);
  bool distributes(const Expr& common, bool below, const Expr& x, const Expr& y, bool same);
  std::optional<Expr> one_logarithm(const Expr& expr);
  std::optional<Expr> one_function(const Expr& expr, bool exact);
  std::optional<Expr> one_quotient(const Expr& expr);
  bool alike(const Expr& a, const Expr& b, const std::vector<Expr>& leaves);

  ValueBounds& bounds_;
  Work& work_;
  const FuseOptions& options_;
};

}  // namespace burin
