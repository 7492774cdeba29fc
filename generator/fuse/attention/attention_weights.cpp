#include "fuse/attention/attention_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fuse/access/expr_forms.h"
#include "fuse/access/products.h"
#include "fuse/attention/attention_form.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/let_uses.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

bool compares(Binary op, double a, double b) {
  switch (op) {
    case Binary::lt:
      return a < b;
    case Binary::le:
      return a <= b;
    case Binary::gt:
      return a > b;
    case Binary::ge:
      return a >= b;
    case Binary::eq:
      return a == b;
    default:
      return a != b;
  }
}

bool is_fp16(Type type) { return type == Type::f16 || type == Type::bf16; }

// Of numbers from 0 to 1.
bool is_as_fine(Type type, Type than) {
  return type == than || (type == Type::f16 && than == Type::bf16);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct WeightedRow {
  const Kernel& kernel;
  int greatest;
  Expr weight;
};

// What an expression gives in one of the cases, as far as it is known.
struct Outcome {
  enum class Kind : uint8_t { unknown, weight, number, truth };
  Kind kind = Kind::unknown;
  double number = 0;
  bool truth = false;

  static Outcome weight() { return {Kind::weight, 0, false}; }
  static Outcome of(double number) { return {Kind::number, number, false}; }
  static Outcome of(bool truth) { return {Kind::truth, 0, truth}; }
  bool is_weight() const { return kind == Kind::weight; }
  bool is_number() const { return kind == Kind::number; }
  bool is_nan() const { return is_number() && std::isnan(number); }
  bool is_zero() const { return is_number() && number == 0; }
  bool is(bool value) const { return kind == Kind::truth && truth == value; }
  bool operator==(const Outcome&) const = default;
};

// What a weight may be: NaN since its row is masked everywhere, NaN otherwise, a number.
enum class Row : uint8_t { masked, nan, numbers };

// What is computed from a weight, in one of the cases.
class Case {
 public:
  Case(const WeightedRow& row, const std::vector<Value>& values, Type rounded, Row which)
      : row_(row), values_(values), rounded_(rounded), which_(which) {}

  Outcome of(const Expr& expr) {
    if (expr == row_.weight) return which_ == Row::numbers ? Outcome::weight() : Outcome::of(kNan);
    if (is_masked_row(expr, row_.greatest, row_.kernel, values_))
      return Outcome::of(which_ == Row::masked);
    const auto key = expr.ptr().get();
    if (const auto at = seen_.find(key); at != seen_.end()) return at->second;
    return seen_[key] = computed(expr);
  }

 private:
  Outcome computed(const Expr& expr) {
    if (expr.is_constant() && expr.type() == Type::boolean) return Outcome::of(expr->integer != 0);
    if (is_float(expr.type())) {
      if (const std::optional<double> number = number_of(expr, values_))
        return Outcome::of(*number);
    }
    switch (expr.kind()) {
      case ExprKind::cast:
        return converted(expr);
      case ExprKind::unary:
        return unary(expr->unary(), of(expr->operands[0]));
      case ExprKind::binary:
        return binary(expr);
      case ExprKind::select:
        return selected(expr);
      default:
        return {};
    }
  }

  Outcome converted(const Expr& expr) {
    const Type to = expr->storage;
    const Outcome from = of(expr->operands[0]);
    const bool half = is_fp16(to);
    if (expr->mode != CastMode::convert || (!half && to != Type::f32 && to != Type::f64)) return {};
    if (from.is_weight()) return half && !is_as_fine(to, rounded_) ? Outcome{} : from;
    const bool stays = from.is_number() && (from.number == 0 || !std::isfinite(from.number));
    return stays ? from : Outcome{};
  }

  static Outcome unary(Unary op, const Outcome& a) {
    if (op == Unary::logical_not)
      return a.kind == Outcome::Kind::truth ? Outcome::of(!a.truth) : Outcome{};
    if (!a.is_weight() && !a.is_number()) return {};
    switch (op) {
      case Unary::is_nan:
        return Outcome::of(a.is_nan());
      case Unary::is_inf:
        return Outcome::of(a.is_number() && std::isinf(a.number));
      case Unary::abs:
        return a.is_weight() ? a : Outcome::of(std::fabs(a.number));
      case Unary::neg:
        return a.is_weight() ? Outcome{} : Outcome::of(-a.number);
      default:
        return {};
    }
  }

  Outcome binary(const Expr& expr) {
    const Binary op = expr->binary();
    const Outcome a = of(expr->operands[0]), b = of(expr->operands[1]);
    if (op == Binary::logical_and) {
      if (a.is(false) || b.is(false)) return Outcome::of(false);
      return a.is(true) && b.is(true) ? Outcome::of(true) : Outcome{};
    }
    if (op == Binary::logical_or) {
      if (a.is(true) || b.is(true)) return Outcome::of(true);
      return a.is(false) && b.is(false) ? Outcome::of(false) : Outcome{};
    }
    if (!is_comparison(op)) return {};
    // Two weights may be rounded differently: only one and the same is known to be equal.
    if (a.is_weight() && b.is_weight() && expr->operands[0] == expr->operands[1])
      return Outcome::of(compares(op, 0.5, 0.5));
    const auto apart = [](const Outcome& one) {
      return one.is_number() && !(one.number >= 0 && one.number <= 1);
    };
    if (a.is_weight() && apart(b)) return Outcome::of(compares(op, 0.5, b.number));
    if (b.is_weight() && apart(a)) return Outcome::of(compares(op, a.number, 0.5));
    if (a.is_number() && b.is_number()) return Outcome::of(compares(op, a.number, b.number));
    return {};
  }

  Outcome selected(const Expr& expr) {
    const Outcome condition = of(expr->operands[0]);
    if (condition.is(true)) return of(expr->operands[1]);
    if (condition.is(false)) return of(expr->operands[2]);
    const Outcome a = of(expr->operands[1]), b = of(expr->operands[2]);
    return a == b ? a : Outcome{};
  }

  const WeightedRow& row_;
  const std::vector<Value>& values_;
  const Type rounded_;  // a half type that rounds weights at most as much as the result is; or none
  const Row which_;
  std::map<const ExprNode*, Outcome> seen_;
};

// Whether all that a value has of `result` is result / total.
bool reads_normalized(const Expr& value, int result, int total, const Kernel& kernel,
                      const std::vector<Value>& values) {
  const std::optional<Expr> sum = normalized(value, total, kernel, values);
  if (sum && is_let(*sum, result, kernel)) return true;
  if (value.kind() == ExprKind::let) return false;
  const auto of_part = [&](const Expr& part) {
    return reads_normalized(part, result, total, kernel, values);
  };
  return std::all_of(value->operands.begin(), value->operands.end(), of_part) &&
         std::all_of(value->cases.begin(), value->cases.end(),
                     [&](const Expr::Case& one) { return of_part(one.value); });
}

Expr without_division(const Expr& value, int result, int total, const Kernel& kernel,
                      const std::vector<Value>& values) {
  return rewrite(
      value,
      [&](const Expr& expr) -> Expr {
        const std::optional<Expr> sum = normalized(expr, total, kernel, values);
        return sum && is_let(*sum, result, kernel) ? *sum : expr;
      },
      [](const Index& leaf) { return leaf; });
}

// The part of an expression that is e / z.
std::optional<Expr> weight_in(const Expr& expr, const Expr& power, int total, const Kernel& kernel,
                              const std::vector<Value>& values) {
  if (normalized(expr, total, kernel, values) == power) return expr;
  for (const Expr& operand : expr->operands) {
    if (std::optional<Expr> found = weight_in(operand, power, total, kernel, values)) return found;
  }
  return std::nullopt;
}

// What rows get of which no weight is a number; nullopt where a factor is not the weight where it
// is one.
std::optional<EmptyRows> guard_of(const Expr& factor, const WeightedRow& row,
                                  const std::vector<Value>& values, Type rounded, bool flash) {
  const auto in = [&](Row which) { return Case(row, values, rounded, which).of(factor); };
  if (!in(Row::numbers).is_weight()) return std::nullopt;
  if (flash) return EmptyRows::nan;  // divided by NaN or 0, whatever the sum is
  const Outcome masked = in(Row::masked), nan = in(Row::nan);
  if (masked.is_nan() && nan.is_nan()) return EmptyRows::nan;
  if (masked.is_zero() && nan.is_nan()) return EmptyRows::zero_if_masked;
  if (masked.is_zero() && nan.is_zero()) return EmptyRows::zero_if_nan;
  return std::nullopt;
}

Expr at_all_axes(const Kernel& kernel, int let, Type type) {
  std::vector<Index> at;
  for (const int axis : kernel.lets[static_cast<size_t>(let)].over)
    at.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  return Expr::let(let, type, std::move(at));
}

Expr guarded(const Expr& weight, EmptyRows empty, int greatest, const Kernel& kernel) {
  if (empty == EmptyRows::nan) return weight;
  const Expr zero = Expr::constant(weight.type(), 0.0);
  const Expr least = Expr::constant(weight.type(), -std::numeric_limits<double>::infinity());
  const Expr condition =
      empty == EmptyRows::zero_if_nan
          ? Expr::unary(Unary::is_nan, weight)
          : compare(Binary::eq, at_all_axes(kernel, greatest, weight.type()), least);
  return Expr::select(condition, zero, weight);
}

}  // namespace

bool at_own_point(const ExprNode& node, const Kernel& kernel, const std::vector<int>& anywhere) {
  if (node.component != 0) return false;
  const std::vector<int>& over = kernel.lets[static_cast<size_t>(node.id)].over;
  for (size_t k = 0; k < over.size(); ++k) {
    if (contains(anywhere, over[k])) continue;
    if (node.at[k].kind() != IndexKind::axis || node.at[k].axis_id() != over[k]) return false;
  }
  return true;
}

bool is_let(const Expr& expr, int let, const Kernel& kernel) {
  return expr.kind() == ExprKind::let && expr->id == let && at_own_point(*expr.ptr(), kernel, {});
}

std::optional<double> number_of(const Expr& expr, const std::vector<Value>& values) {
  if (expr.is_constant()) return expr->number;
  if (expr.kind() != ExprKind::load || !is_float(expr->storage)) return std::nullopt;
  const Value& value = values[static_cast<size_t>(expr->id)];
  if (value.kind != ValueKind::constant || !product(value.shape).is_constant(1))
    return std::nullopt;
  return load_function(value.type)(value.constant.data, 0).number;
}

bool is_masked_row(const Expr& expr, int greatest, const Kernel& kernel,
                   const std::vector<Value>& values) {
  if (!is_binary(expr, Binary::eq)) return false;
  const Expr &a = expr->operands[0], &b = expr->operands[1];
  const auto is_least = [&](const Expr& one) {
    return number_of(one, values) == -std::numeric_limits<double>::infinity();
  };
  return (is_let(a, greatest, kernel) && is_least(b)) ||
         (is_let(b, greatest, kernel) && is_least(a));
}

std::optional<Expr> normalized(const Expr& expr, int total, const Kernel& kernel,
                               const std::vector<Value>& values) {
  if (is_binary(expr, Binary::div) && is_let(expr->operands[1], total, kernel))
    return expr->operands[0];
  if (!is_binary(expr, Binary::mul)) return std::nullopt;
  for (const size_t k : {size_t{0}, size_t{1}}) {
    const Expr& factor = expr->operands[k];
    if (is_binary(factor, Binary::div) && number_of(factor->operands[0], values) == 1.0 &&
        is_let(factor->operands[1], total, kernel))
      return expr->operands[1 - k];
  }
  return std::nullopt;
}

std::optional<Kernel> with_plain_weights(const Kernel& kernel, const std::vector<Value>& values,
                                         bool fp16) {
  Kernel out = without_maps(kernel);
  if (out.lets.size() < 4 || out.writes.size() != 1) return std::nullopt;
  const int result = static_cast<int>(out.lets.size()) - 1, total = result - 1,
            greatest = result - 2;
  const Let& sum = out.lets.back();
  if (!is_float_sum_of_products(sum) || out.lets[static_cast<size_t>(total)].body.size() != 1)
    return std::nullopt;
  Expr factor = sum.body[0]->operands[0], v = sum.body[0]->operands[1];
  if (lets_in(factor).empty()) std::swap(factor, v);
  if (!lets_in(v).empty()) return std::nullopt;
  const Expr& power = out.lets[static_cast<size_t>(total)].body[0];
  Expr& value = out.writes[0].value;
  const bool flash = lets_in(value).contains(total);
  std::optional<Expr> weight = power;
  if (flash) {
    if (!reads_normalized(value, result, total, out, values)) return std::nullopt;
    value = without_division(value, result, total, out, values);
  } else {
    weight = weight_in(factor, power, total, out, values);
  }
  if (!weight || weight->type() != factor.type()) return std::nullopt;
  const WeightedRow row{out, greatest, *weight};
  const Type stored = values[static_cast<size_t>(out.writes[0].to)].type;
  const Type rounded = fp16 && is_fp16(stored) ? stored : Type::none;
  const std::optional<EmptyRows> empty = guard_of(factor, row, values, rounded, flash);
  if (!empty) return std::nullopt;
  if (flash) weight = *weight / at_all_axes(out, total, weight->type());
  out.lets.back().body[0] = guarded(*weight, *empty, greatest, out) * v;
  return out;
}

}  // namespace burin
