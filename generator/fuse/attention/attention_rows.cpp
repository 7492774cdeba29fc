#include "fuse/attention/attention_rows.h"

#include <algorithm>
#include <limits>

#include "fuse/access/expr_forms.h"
#include "fuse/access/products.h"
#include "fuse/attention/attention_weights.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/let_uses.h"

namespace burin {
namespace {

Expr at_own_axes(const Kernel& kernel, int let, const std::vector<int>& over) {
  std::vector<Index> at;
  for (const int axis : over)
    at.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  return Expr::let(let, Type::f32, std::move(at));
}

// R * G(e), where R is of the row.
struct Linear {
  Expr gain, row;
  bool selects = false;
};

class RowFinder {
 public:
  RowFinder(const Kernel& kernel, const std::vector<Value>& values)
      : kernel_(kernel), values_(values) {}

  std::optional<WeightedRows> run() {
    if (!sort_lets()) return std::nullopt;
    const Let& result = kernel_.lets.back();
    for (int i = first_; i < result_; ++i) {
      if (!add_row(i)) return std::nullopt;
    }
    Expr weight = result.body[0]->operands[0], v = result.body[0]->operands[1];
    if (lets_in(weight).empty()) std::swap(weight, v);
    if (!lets_in(v).empty() || !score_) return std::nullopt;
    std::optional<Linear> linear = linear_of(weight);
    if (!linear || !takes_gain(*linear)) return std::nullopt;
    return joined(*linear, v);
  }

 private:
  // Sums that S is made of, then reductions over the keys, the weighted sum last. A place is left
  // for m, z and u in the numbers of the new kernel.
  bool sort_lets() {
    result_ = static_cast<int>(kernel_.lets.size()) - 1;
    const Let& result = kernel_.lets.back();
    const auto is_row = [&](const Let& let) {
      return let.reduced == result.reduced && let.body.size() == 1 &&
             let.accumulator[0] == Type::f32 &&
             (let.op == Combiner::sum || let.op == Combiner::max);
    };
    first_ = 1;
    while (first_ < result_ && !is_row(kernel_.lets[static_cast<size_t>(first_)])) ++first_;
    if (first_ == result_ || !is_float_sum_of_products(result)) return false;
    over_ = kernel_.lets[static_cast<size_t>(first_)].over;
    for (int i = first_; i < result_; ++i) {
      const Let& let = kernel_.lets[static_cast<size_t>(i)];
      if (!is_row(let) || let.over != over_) return false;
    }
    exponent_ = at_own_axes(kernel_, 0, kernel_.lets[0].over);
    greatest_ = at_own_axes(kernel_, first_, over_);
    total_ = at_own_axes(kernel_, first_ + 1, over_);
    gained_ = at_own_axes(kernel_, first_ + 2, over_);
    return true;
  }

  // What a let of the rows is in terms of m, z and u.
  bool add_row(int let) {
    const Let& row = kernel_.lets[static_cast<size_t>(let)];
    if (row.op == Combiner::max) {
      if (let == first_) score_ = row.body[0];
      // The greatest of S - c is m - c.
      const std::optional<Expr> by = shifted(row.body[0], greatest_);
      if (by) rows_.push_back(*by);
      return by.has_value();
    }
    const std::optional<Linear> linear = linear_of(row.body[0]);
    if (!linear) return false;
    const bool plain = linear->gain == exponent_;
    if (!plain && !takes_gain(*linear)) return false;
    needs_gained_ = needs_gained_ || !plain;
    const Expr& sum = plain ? total_ : gained_;
    rows_.push_back(linear->row == one() ? sum : linear->row * sum);
    return true;
  }

  // All that are weighed are weighed alike.
  bool takes_gain(const Linear& linear) {
    if (!gain_) {
      gain_ = linear.gain;
      selects_ = linear.selects;
    }
    return *gain_ == linear.gain;
  }

  // exp(m - m): 1, or NaN where m is no number.
  Expr one() const { return Expr::unary(Unary::exp, greatest_ - greatest_); }

  // What divides by z is NaN anyway where m is no number, 0 times infinity.
  Expr without_ones(const Expr& expr) const {
    return rewrite(
        expr,
        [&](const Expr& part) -> Expr {
          return is_binary(part, Binary::div) && part->operands[0] == one() &&
                         part->operands[1] == total_
                     ? 1.0 / total_
                     : part;
        },
        [](const Index& leaf) { return leaf; });
  }

  bool is_zero(const Expr& expr) const { return number_of(expr, values_) == 0.0; }

  // What is of the row alone, in terms of m, z and u.
  std::optional<Expr> row_of(const Expr& expr) const {
    for (const int let : lets_in(expr)) {
      if (let < first_ || let >= first_ + static_cast<int>(rows_.size())) return std::nullopt;
    }
    for (const int axis : axes_of(expr)) {
      if (!contains(over_, axis)) return std::nullopt;
    }
    return rewrite(
        expr,
        [&](const Expr& part) -> Expr {
          return part.kind() == ExprKind::let ? rows_[static_cast<size_t>(part->id - first_)]
                                              : part;
        },
        [](const Index& leaf) { return leaf; });
  }

  // What `other` is where the expression is S: of S - c, c of the row, it is other - c.
  std::optional<Expr> shifted(const Expr& expr, const Expr& other) {
    Expr score = expr;
    std::vector<Expr> shifts;
    while (!(score_ && score == *score_) && is_binary(score, Binary::sub)) {
      const std::optional<Expr> row = row_of(score->operands[1]);
      if (!row || (!score_ && lets_in(*row).empty())) break;
      shifts.push_back(*row);
      score = score->operands[0];
    }
    if (!score_) score_ = score;
    if (score != *score_) return std::nullopt;
    Expr by = other;
    for (size_t i = shifts.size(); i-- > 0;) by = by - shifts[i];
    return by;
  }

  std::optional<Linear> exponent_of(const Expr& expr) {
    if (expr->unary() != Unary::exp) return std::nullopt;
    const std::optional<Expr> by = shifted(expr->operands[0], greatest_);
    if (!by) return std::nullopt;
    return Linear{exponent_, Expr::unary(Unary::exp, *by)};
  }

  std::optional<Linear> linear_of(const Expr& expr) {
    switch (expr.kind()) {
      case ExprKind::unary:
        return exponent_of(expr);
      case ExprKind::binary:
        return scaled(expr);
      case ExprKind::select:
        return selected(expr);
      case ExprKind::cases:
        return chosen(expr);
      default:
        return std::nullopt;
    }
  }

  std::optional<Linear> scaled(const Expr& expr) {
    const bool divides = is_binary(expr, Binary::div);
    if (!divides && !is_binary(expr, Binary::mul)) return std::nullopt;
    for (const size_t k : {size_t{0}, size_t{1}}) {
      if (divides && k == 1) break;
      const Expr& by = expr->operands[1 - k];
      const std::optional<Expr> row = row_of(by);
      if (!row && !lets_in(by).empty()) continue;
      std::optional<Linear> linear = linear_of(expr->operands[k]);
      if (!linear) continue;
      Expr& part = row ? linear->row : linear->gain;
      const Expr& factor = row ? *row : by;
      part = divides ? part / factor : part * factor;
      return linear;
    }
    return std::nullopt;
  }

  // The exponent or 0; of the row where m, z or u decide, else key by key.
  std::optional<Linear> selected(const Expr& expr) {
    const bool first = is_zero(expr->operands[1]);
    if (!first && !is_zero(expr->operands[2])) return std::nullopt;
    const Expr& condition = expr->operands[0];
    std::optional<Linear> linear = linear_of(expr->operands[first ? 2 : 1]);
    if (!linear) return std::nullopt;
    const Expr zero = Expr::constant(Type::f32, 0);
    const auto with = [&](const Expr& decided, const Expr& value) {
      return first ? Expr::select(decided, zero, value) : Expr::select(decided, value, zero);
    };
    if (lets_in(condition).empty()) {
      linear->gain = with(condition, linear->gain);
      linear->selects = true;
      return linear;
    }
    const std::optional<Expr> row = row_of(condition);
    if (!row) return std::nullopt;
    linear->row = with(*row, linear->row);
    return linear;
  }

  // The same by the place of query and key.
  std::optional<Linear> chosen(const Expr& expr) {
    std::vector<Expr::Case> cases = expr->cases;
    Expr otherwise = expr->operands[0];
    std::vector<Expr*> parts{&otherwise};
    for (Expr::Case& one : cases) {
      if (!guard_is_plain(one.guard)) return std::nullopt;
      parts.push_back(&one.value);
    }
    std::optional<Linear> found;
    for (Expr* const part : parts) {
      if (is_zero(*part)) continue;
      std::optional<Linear> linear = linear_of(*part);
      if (!linear || (found && found->row != linear->row)) return std::nullopt;
      *part = linear->gain;
      found = std::move(linear);
    }
    if (!found) return std::nullopt;
    found->gain = Expr::cases(std::move(cases), otherwise);
    found->selects = true;
    return found;
  }

  static bool guard_is_plain(const Guard& guard) {
    return std::all_of(guard.begin(), guard.end(), [](const Condition& condition) {
      return lets_in(Expr::index(condition.index)).empty();
    });
  }

  // Whether it is sums times or by what is of the row, which becomes part of the factor.
  bool behind(const Expr& expr, Expr& factor) const {
    if (is_let(expr, result_, kernel_)) return true;
    const bool divides = is_binary(expr, Binary::div);
    if (!divides && !is_binary(expr, Binary::mul)) return false;
    for (const size_t k : {size_t{0}, size_t{1}}) {
      if (divides && k == 1) break;
      const std::optional<Expr> row = row_of(expr->operands[1 - k]);
      if (!row || !behind(expr->operands[k], factor)) continue;
      factor = divides ? factor / *row : factor * *row;
      return true;
    }
    return false;
  }

  // Whether all that a value has of the sums is F times these, whatever F is.
  bool reads_scaled(const Expr& value, const Expr& inside, std::optional<Expr>& factor) const {
    Expr own = inside;
    if (behind(value, own)) {
      if (!factor) factor = own;
      return *factor == own;
    }
    if (value.kind() == ExprKind::let) return false;
    const auto of_part = [&](const Expr& part) { return reads_scaled(part, inside, factor); };
    return std::all_of(value->operands.begin(), value->operands.end(), of_part) &&
           std::all_of(value->cases.begin(), value->cases.end(),
                       [&](const Expr::Case& one) { return of_part(one.value); });
  }

  // The value, with sums in the place of what is done to all of a row.
  Expr without_factors(const Expr& value) const {
    const auto on_sum = [&](const Expr& expr) -> Expr {
      if (!is_binary(expr, Binary::mul) && !is_binary(expr, Binary::div)) return expr;
      for (const size_t k : {size_t{0}, size_t{1}}) {
        if (is_let(expr->operands[k], result_, kernel_) && row_of(expr->operands[1 - k]))
          return expr->operands[k];
      }
      return expr;
    };
    return rewrite(value, on_sum, [](const Index& leaf) { return leaf; });
  }

  int new_result() const { return first_ + (needs_gained_ ? 3 : 2); }

  std::optional<WeightedRows> joined(const Linear& weight, const Expr& v) const {
    WeightedRows out;
    out.gain = weight.gain;
    out.selects = weight.selects;
    std::optional<Expr> factor;
    const Write& write = kernel_.writes[0];
    if (!reads_scaled(write.value, weight.row, factor) || !factor) return std::nullopt;
    out.factor = without_ones(*factor);
    out.greatest = first_;
    out.total = first_ + 1;
    if (needs_gained_) out.gained = first_ + 2;
    out.result = new_result();
    out.kernel = kernel_;
    std::vector<Let>& lets = out.kernel.lets;
    const auto same = [](const Index& leaf) { return leaf; };
    const Expr sum = at_own_axes(kernel_, out.result, kernel_.lets.back().over);
    out.value = rewrite(
        without_factors(write.value),
        [&](const Expr& expr) { return expr.kind() == ExprKind::let ? sum : expr; }, same);
    out.kernel.writes[0].value = out.value;
    const Let row = lets[static_cast<size_t>(first_)], result = lets.back();
    lets.resize(static_cast<size_t>(first_));
    const Expr least = Expr::constant(Type::f32, -std::numeric_limits<double>::infinity());
    const Expr shift = Expr::select(compare(Binary::eq, greatest_, least),
                                    Expr::constant(Type::f32, 0), greatest_);
    const Expr power = Expr::unary(Unary::exp, *score_ - shift);
    const auto gained = [&](const Expr& exponent) {
      return rewrite(
          weight.gain, [&](const Expr& expr) { return expr == exponent_ ? exponent : expr; }, same);
    };
    const auto add = [&](Let let, Combiner op, const Expr& body) {
      let.op = op;
      let.body = {body};
      lets.push_back(std::move(let));
    };
    add(row, Combiner::max, *score_);
    add(row, Combiner::sum, power);
    if (needs_gained_) add(row, Combiner::sum, gained(power));
    add(result, Combiner::sum, gained(power * out.factor) * v);
    return out;
  }

  const Kernel& kernel_;
  const std::vector<Value>& values_;
  int first_ = 0, result_ = 0;  // lets of the rows: [first, result)
  std::vector<int> over_;       // of those
  Expr exponent_, greatest_, total_, gained_;
  std::optional<Expr> score_, gain_;
  bool selects_ = false, needs_gained_ = false;
  std::vector<Expr> rows_;  // what lets of the rows are
};

}  // namespace

std::optional<WeightedRows> find_weighted_rows(const Kernel& kernel,
                                               const std::vector<Value>& values) {
  if (kernel.lets.size() < 3 || kernel.writes.size() != 1) return std::nullopt;
  return RowFinder(kernel, values).run();
}

}  // namespace burin
