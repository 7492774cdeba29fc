#include "fuse/algebra/float_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernel/expr/scalar.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr double kUnboundedFloat = std::numeric_limits<double>::infinity();
constexpr int64_t kMostBoundedElements = int64_t{1} << 22;  // of a constant that is looked at

FloatBounds either(const FloatBounds& a, const FloatBounds& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi),     std::min(a.least, b.least),
          a.zero || b.zero,     std::max(a.lost, b.lost), std::max(a.cap, b.cap)};
}

double extent_of(const Kernel& kernel, const std::vector<int>& axes) {
  double count = 1;
  for (const int axis : axes) {
    const Range range = kernel.axes[static_cast<size_t>(axis)].extent.range();
    count *= range.hi == kUnbounded ? kUnboundedFloat : static_cast<double>(range.hi);
  }
  return count;
}

// x[.., k] less the greatest of them over k: not above zero.
bool is_below_maximum(const Kernel& kernel, const Expr& x, const Expr& greatest) {
  if (greatest.kind() != ExprKind::let) return false;
  const Let& let = kernel.lets[static_cast<size_t>(greatest->id)];
  if (let.op != Combiner::max || let.body.size() != 1 || let.body[0] != x) return false;
  for (size_t d = 0; d < let.over.size(); ++d) {
    const int axis = let.over[d];
    if (greatest->at[d] != Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent))
      return false;
  }
  return true;
}

}  // namespace

const FloatBounds& ValueBounds::of(const Expr& expr) {
  const auto seen = known_.find(expr.ptr().get());
  if (seen != known_.end()) return seen->second;
  FloatBounds bounds = compute(expr);
  keep_.push_back(expr);
  return known_[expr.ptr().get()] = bounds;
}

FloatBounds ValueBounds::of_load(const Expr& expr) {
  const Value& value = values_[static_cast<size_t>(expr->id)];
  if (value.kind != ValueKind::constant || value.constant.data == nullptr) {
    FloatBounds out = anything();
    out.cap = largest(expr->storage);
    return out;
  }
  if (const auto seen = constants_.find(expr->id); seen != constants_.end()) return seen->second;
  const auto count = static_cast<int64_t>(value.constant.bytes) * 8 / size_bits(value.type);
  FloatBounds out = anything();
  if (count > 0 && count <= kMostBoundedElements) {
    const LoadFunction load = load_function(value.type);
    out = {kUnboundedFloat, -kUnboundedFloat, kUnboundedFloat, false, 0, kUnboundedFloat};
    for (int64_t i = 0; i < count; ++i) {
      const double x = load(value.constant.data, i).number;
      if (std::isnan(x)) continue;
      out.lo = std::min(out.lo, x);
      out.hi = std::max(out.hi, x);
      out.zero = out.zero || x == 0;
      if (x != 0) out.least = std::min(out.least, std::abs(x));
    }
    if (out.lo > out.hi) out = anything();
    if (std::isinf(out.least)) out.least = 0;
  }
  return constants_[expr->id] = out;
}

FloatBounds ValueBounds::of_let(int number, int component) {
  const auto key = std::pair(number, component);
  if (const auto seen = lets_.find(key); seen != lets_.end()) return seen->second;
  lets_[key] = anything();  // what a recurrence knows of itself
  const Let& let = kernel_.lets[static_cast<size_t>(number)];
  const Type type = let.accumulator[static_cast<size_t>(component)];
  FloatBounds body = of(let.body[static_cast<size_t>(component)]);
  FloatBounds out = anything();
  const double count = extent_of(kernel_, let.reduced);
  switch (let.op) {
    case Combiner::none:
    case Combiner::first_max:
    case Combiner::last_max:
    case Combiner::first_min:
    case Combiner::last_min:
      if (let.reduced.empty()) out = body;
      break;
    case Combiner::max:
    case Combiner::min:
      // The neutral element stays where nothing is combined.
      if (count > 0 && std::all_of(let.reduced.begin(), let.reduced.end(), [&](int axis) {
            return proven_le(1, kernel_.axes[static_cast<size_t>(axis)].extent);
          }))
        out = body;
      break;
    case Combiner::sum:
      if (sum_stays_finite(body, count, type)) {
        const double slack = 1.01 * count;
        out = between(std::min(0.0, body.lo) * slack, std::max(0.0, body.hi) * slack);
      }
      break;
    default:
      break;
  }
  return lets_[key] = out;
}

FloatBounds ValueBounds::compute(const Expr& expr) {
  const Type type = expr.type();
  if (!is_float(type)) return anything();
  switch (expr.kind()) {
    case ExprKind::constant: {
      FloatBounds out = between(expr->number, expr->number);
      return std::isnan(expr->number) ? anything() : out;
    }
    case ExprKind::load:
      return of_load(expr);
    case ExprKind::let:
      return of_let(expr->id, expr->component);
    case ExprKind::unary:
      return unary_bounds(expr->unary(), type, of(expr->operands[0]));
    case ExprKind::binary: {
      FloatBounds out =
          binary_bounds(expr->binary(), type, of(expr->operands[0]), of(expr->operands[1]));
      if (expr->binary() == Binary::sub &&
          is_below_maximum(kernel_, expr->operands[0], expr->operands[1]))
        out.hi = std::min(out.hi, 0.0);
      return out;
    }
    case ExprKind::select:
      return either(of(expr->operands[1]), of(expr->operands[2]));
    case ExprKind::cases: {
      FloatBounds out = of(expr->operands[0]);
      for (const Expr::Case& one : expr->cases) out = either(out, of(one.value));
      return out;
    }
    case ExprKind::cast: {
      const Type from = expr->operands[0].type();
      if (from == Type::boolean) return between(0, 1);
      if (is_integer(from)) {
        FloatBounds out = between(static_cast<double>(lowest(from)),
                                  from == Type::u64 ? 0x1p64 : static_cast<double>(highest(from)));
        if (out.magnitude() > largest(expr->storage)) return anything();
        out.least = 1;
        return out;
      }
      if (!is_float(from)) return anything();
      FloatBounds out = of(expr->operands[0]);
      if (expr->storage != from) {
        if (out.magnitude() > largest(expr->storage) / 2) return anything();
        out.lo -= std::abs(out.lo) / 4;  // fewer digits
        out.hi += std::abs(out.hi) / 4;
        out.least = 0;
        out.zero = true;
      }
      return out;
    }
    default:
      return anything();
  }
}

bool sum_stays_finite(const FloatBounds& each, double count, Type type) {
  // Every addition rounds by less than 2^-23 of what is largest; so many of them by less than 1%.
  return each.is_finite() && count <= 65536 && each.magnitude() * count * 1.01 < largest(type);
}

namespace {

class InRange {
 public:
  InRange(const std::vector<Expr>& leaves, ValueBounds& bounds)
      : leaves_(leaves), bounds_(bounds) {}

  std::optional<FloatBounds> run(const Expr& expr) {
    const bool leaf = std::find(leaves_.begin(), leaves_.end(), expr) != leaves_.end();
    const bool unary = expr.kind() == ExprKind::unary, binary = expr.kind() == ExprKind::binary;
    if (leaf || (!unary && !binary)) return finite_part(bounds_.of(expr), expr.type());
    std::vector<FloatBounds> operands;
    for (const Expr& operand : expr->operands) {
      const std::optional<FloatBounds> one = run(operand);
      if (!one) return std::nullopt;
      operands.push_back(*one);
    }
    const FloatBounds out =
        unary ? unary_bounds(expr->unary(), expr.type(), operands[0])
              : binary_bounds(expr->binary(), expr.type(), operands[0], operands[1]);
    if (!out.is_finite()) return std::nullopt;
    return out;
  }

 private:
  const std::vector<Expr>& leaves_;
  ValueBounds& bounds_;
};

}  // namespace

std::optional<FloatBounds> bounds_in_range(const Expr& expr, const std::vector<Expr>& leaves,
                                           ValueBounds& bounds) {
  return InRange(leaves, bounds).run(expr);
}

bool stays_in_range(const Expr& expr, const std::vector<Expr>& leaves, ValueBounds& bounds) {
  const std::optional<FloatBounds> out = bounds_in_range(expr, leaves, bounds);
  return out && out->lost <= least_normal(expr.type());
}

}  // namespace burin
