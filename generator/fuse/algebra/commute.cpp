#include "fuse/algebra/commute.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

constexpr double kMostCommutedExponent = 16;  // as in fuse/algebra/terms.cpp

bool is_op(const Expr& expr, Binary op) {
  return expr.kind() == ExprKind::binary && expr->binary() == op;
}

// A product, or one of its sides, as what changes along the reduction and what does not.
struct Parted {
  Expr varying;
  std::vector<Expr> above, below;  // factors and divisors that are the same for all terms
};

class Commuter {
 public:
  Commuter(const Kernel& kernel, int number, ValueBounds& bounds)
      : kernel_(kernel),
        number_(number),
        let_(kernel.lets[static_cast<size_t>(number)]),
        type_(let_.body[0].type()),
        bounds_(bounds) {}

  std::optional<Kernel> run(bool exact) {
    const bool floats = is_float(type_);
    switch (let_.op) {
      case Combiner::sum:
        if (std::optional<Kernel> out = shifted()) return out;
        return floats && exact ? std::nullopt : scaled();
      case Combiner::max:
      case Combiner::min:
        return floats ? extreme() : std::nullopt;
      case Combiner::product:
        return floats && !exact ? exponents() : std::nullopt;
      default:
        return std::nullopt;
    }
  }

 private:
  bool is_same_for_all(const Expr& expr) const {
    const std::vector<int> axes = axes_of(expr);
    return std::none_of(let_.reduced.begin(), let_.reduced.end(),
                        [&](int axis) { return contains(axes, axis); });
  }

  // At most so many terms; nullopt: not known.
  std::optional<double> most_terms() const {
    double count = 1;
    for (const int axis : let_.reduced) {
      const Range range = kernel_.axes[static_cast<size_t>(axis)].extent.range();
      if (range.hi == kUnbounded) return std::nullopt;
      count *= static_cast<double>(range.hi);
    }
    return count;
  }

  bool has_terms() const {
    return std::all_of(let_.reduced.begin(), let_.reduced.end(), [&](int axis) {
      return proven_le(1, kernel_.axes[static_cast<size_t>(axis)].extent);
    });
  }

  // --- Sums ---

  Parted parted(const Expr& expr) const {
    if (is_same_for_all(expr)) return {{}, {expr}, {}};
    const bool quotient = is_op(expr, Binary::div) && is_float(type_);
    if (!is_op(expr, Binary::mul) && !quotient) return {expr, {}, {}};
    Parted a = parted(expr->operands[0]);
    if (quotient) {
      if (!is_same_for_all(expr->operands[1])) return {expr, {}, {}};
      a.below.push_back(expr->operands[1]);
      return a;
    }
    const Parted b = parted(expr->operands[1]);
    a.above.insert(a.above.end(), b.above.begin(), b.above.end());
    a.below.insert(a.below.end(), b.below.begin(), b.below.end());
    a.varying = a.varying && b.varying ? a.varying * b.varying : a.varying ? a.varying : b.varying;
    return a;
  }

  std::optional<Kernel> scaled() {
    const Parted parts = parted(let_.body[0]);
    if (!parts.varying || (parts.above.empty() && parts.below.empty())) return std::nullopt;
    Expr scale = Expr::constant(type_, 1);
    for (const Expr& one : parts.above) scale = scale * one;
    for (const Expr& one : parts.below) scale = scale / one;
    if (scale.is_constant(1)) return std::nullopt;
    if (is_float(type_) && !scales_alike(parts, scale)) return std::nullopt;
    return with(
        let_.op, parts.varying, [&](const Expr& sum, const Expr& by) { return sum * by; }, scale);
  }

  bool scales_alike(const Parted& parts, const Expr& scale) {
    const std::optional<double> count = most_terms();
    if (!count) return false;
    std::vector<Expr> leaves = parts.above;
    leaves.insert(leaves.end(), parts.below.begin(), parts.below.end());
    const auto factor = bounds_in_range(scale, leaves, bounds_);
    if (!factor || factor->lost > 0) return false;
    // Infinity times terms of both signs is NaN as a sum.
    for (const Expr& one : parts.above) {
      if (!bounds_.of(one).is_finite()) return false;
    }
    for (const Expr& one : parts.below) {
      if (!bounds_.of(one).is_finite() || bounds_.of(one).zero) return false;
    }
    std::vector<Expr> varying;
    leaves_of(parts.varying, varying);
    const auto each = bounds_in_range(parts.varying, varying, bounds_);
    leaves.insert(leaves.end(), varying.begin(), varying.end());
    const auto before = bounds_in_range(let_.body[0], leaves, bounds_);
    if (!each || !before) return false;
    FloatBounds after = *each;
    const double by = std::max(1.0, factor->magnitude());
    after.lo *= by;
    after.hi *= by;
    return sum_stays_finite(*before, *count, type_) && sum_stays_finite(after, *count, type_) &&
           before->lost * *count <= least_normal(type_) &&
           each->lost * *count * by <= least_normal(type_);
  }

  void leaves_of(const Expr& expr, std::vector<Expr>& out) const {
    if (is_op(expr, Binary::mul) || is_op(expr, Binary::div)) {
      for (const Expr& operand : expr->operands) leaves_of(operand, out);
    } else {
      out.push_back(expr);
    }
  }

  std::optional<Kernel> shifted() {
    const Expr& body = let_.body[0];
    if (!is_op(body, Binary::shift_left) || !is_same_for_all(body->operands[1]) ||
        is_same_for_all(body->operands[0]))
      return std::nullopt;
    return with(
        let_.op, body->operands[0],
        [](const Expr& sum, const Expr& by) { return Expr::binary(Binary::shift_left, sum, by); },
        body->operands[1]);
  }

  // --- Greatest and least ---

  std::optional<Kernel> extreme() {
    const Expr& body = let_.body[0];
    if (body.kind() != ExprKind::binary || !has_terms()) return std::nullopt;
    const Binary op = body->binary();
    const bool second = is_same_for_all(body->operands[1]);
    if (second == is_same_for_all(body->operands[0])) return std::nullopt;
    const Expr &same = body->operands[second ? 1 : 0], &varying = body->operands[second ? 0 : 1];
    const FloatBounds& its = bounds_.of(same);
    if (!its.is_finite()) return std::nullopt;
    bool turned = false;
    switch (op) {
      case Binary::add:
        break;
      case Binary::sub:
        turned = !second;  // c - x
        break;
      case Binary::mul:
      case Binary::div:
        if (its.zero || its.lo * its.hi <= 0 || (op == Binary::div && !second)) return std::nullopt;
        turned = its.hi < 0;
        break;
      default:
        return std::nullopt;
    }
    const Combiner other = let_.op == Combiner::max ? Combiner::min : Combiner::max;
    return with(
        turned ? other : let_.op, varying,
        [&](const Expr& best, const Expr& by) {
          return second ? Expr::binary(op, best, by) : Expr::binary(op, by, best);
        },
        same);
  }

  // --- Products ---

  std::optional<Kernel> exponents() {
    const Expr& body = let_.body[0];
    if (body.kind() != ExprKind::unary || body->unary() != Unary::exp) return std::nullopt;
    const std::optional<double> count = most_terms();
    const double each = bounds_.of(body->operands[0]).magnitude();
    if (!count || !(each * *count <= kMostCommutedExponent)) return std::nullopt;
    return with(
        Combiner::sum, body->operands[0],
        [](const Expr& sum, const Expr&) { return Expr::unary(Unary::exp, sum); },
        Expr::constant(type_, 1));
  }

  // The kernel with another let, and at each of its uses `combine(let, by at that point)`.
  std::optional<Kernel> with(Combiner op, const Expr& body,
                             const std::function<Expr(const Expr&, const Expr&)>& combine,
                             const Expr& by) const {
    Kernel out = kernel_;
    Let& let = out.lets[static_cast<size_t>(number_)];
    let.op = op;
    let.body = {body};
    const auto on_expr = [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::let || expr->id != number_) return expr;
      std::vector<Index> axes;
      for (size_t a = 0; a < kernel_.axes.size(); ++a)
        axes.push_back(Index::axis(static_cast<int>(a), kernel_.axes[a].extent));
      for (size_t d = 0; d < let_.over.size(); ++d)
        axes[static_cast<size_t>(let_.over[d])] = expr->at[d];
      return combine(expr, substitute_axes(by, axes));
    };
    rewrite_exprs(out, on_expr);
    return out;
  }

  const Kernel& kernel_;
  int number_;
  const Let& let_;
  Type type_;
  ValueBounds& bounds_;
};

}  // namespace

std::optional<Kernel> commuted(const Kernel& kernel, int let, bool exact, ValueBounds& bounds) {
  const Let& one = kernel.lets[static_cast<size_t>(let)];
  if (one.body.size() != 1 || one.reduced.empty() || one.body[0].type() != one.accumulator[0])
    return std::nullopt;
  // State is read before it is made.
  if (is_sequential(kernel)) return std::nullopt;
  return Commuter(kernel, let, bounds).run(exact);
}

}  // namespace burin
