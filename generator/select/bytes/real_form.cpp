#include "select/bytes/real_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr double kHalfUnitOfOne = 0x1p-24;  // of a float of 1, or more where it is larger
constexpr double kMostReal = 0x1p100;
constexpr double kMostRounded = 0x1p22;  // whole numbers and their zero points are exact

class RealForms {
 public:
  explicit RealForms(const FormContext& context) : context_(context) {
    points_ = 1;
    for (const int axis : context.axes)
      points_ *= static_cast<size_t>(context.kernel->axes[at(axis)].extent.constant());
  }

  std::optional<RealForm> whole(const Expr& value) {
    if (value.kind() != ExprKind::cast || value->mode != CastMode::saturate ||
        (value->storage != Type::u8 && value->storage != Type::i8) ||
        (value->operands[0].type() != Type::f32 && value->operands[0].type() != Type::i32))
      return std::nullopt;
    if (value->operands[0].type() == Type::i32) return of_integers(value);
    // What is done to the rounded number, outermost first.
    struct Behind {
      Binary op;
      PointNumbers by;
    };
    std::vector<Behind> behind;
    Expr inner = value->operands[0];
    while (inner.kind() == ExprKind::binary) {
      const Binary op = inner->binary();
      if (op != Binary::add && op != Binary::sub && op != Binary::min && op != Binary::max)
        return std::nullopt;
      const bool first = moves(inner->operands[0]);
      if (first == moves(inner->operands[1]) || (op == Binary::sub && !first)) return std::nullopt;
      std::optional<PointNumbers> by = numbers(inner->operands[first ? 1 : 0]);
      if (!by) return std::nullopt;
      for (const double one : *by) {
        const bool limits = op == Binary::min || op == Binary::max;
        if (!(limits && std::isinf(one)) && (one != std::nearbyint(one) || std::abs(one) > 1024))
          return std::nullopt;
      }
      behind.push_back({op, std::move(*by)});
      inner = inner->operands[first ? 0 : 1];
    }
    if (inner.kind() != ExprKind::unary || inner->unary() != Unary::round) return std::nullopt;
    std::optional<RealForm> form = of(inner->operands[0]);
    if (!form) return std::nullopt;
    form->type = value->storage;
    for (size_t p = 0; p < points_; ++p) {
      if (range_of(*form, p, form->stages.size(), context_.operands).most() + form->error[p] >
          kMostRounded)
        return std::nullopt;
      double zero = 0, least = -kMostReal, greatest = kMostReal;
      for (size_t k = behind.size(); k-- > 0;) {
        const double by = behind[k].by[p];
        const auto all = [&](const auto& change) {
          least = change(least);
          greatest = change(greatest);
        };
        switch (behind[k].op) {
          case Binary::min:
            all([&](double x) { return std::min(x, by); });
            break;
          case Binary::max:
            all([&](double x) { return std::max(x, by); });
            break;
          default: {
            const double added = behind[k].op == Binary::add ? by : -by;
            zero += added;
            all([&](double x) { return x + added; });
          }
        }
      }
      move(*form, p, zero + 0.5);
      const auto within = [&](double x) {
        return static_cast<int>(std::min(std::max(x, static_cast<double>(lowest(form->type))),
                                         static_cast<double>(highest(form->type))));
      };
      form->least.push_back(within(least));
      form->greatest.push_back(within(greatest));
    }
    return form;
  }

 private:
  // Nothing is rounded: positions are in the middle of their bytes.
  std::optional<RealForm> of_integers(const Expr& value) {
    std::optional<RealForm> form = of(value->operands[0]);
    if (!form) return std::nullopt;
    form->type = value->storage;
    for (size_t p = 0; p < points_; ++p) move(*form, p, 0.5);
    form->least.assign(points_, static_cast<int>(lowest(form->type)));
    form->greatest.assign(points_, static_cast<int>(highest(form->type)));
    return form;
  }

  int operand_of(const Expr& expr) const {
    const auto found = std::find(context_.operands.begin(), context_.operands.end(), expr);
    return found == context_.operands.end() ? -1
                                            : static_cast<int>(found - context_.operands.begin());
  }
  bool moves(const Expr& expr) const {
    if (operand_of(expr) >= 0) return true;
    return std::any_of(expr->operands.begin(), expr->operands.end(),
                       [this](const Expr& one) { return moves(one); });
  }
  std::optional<PointNumbers> numbers(const Expr& fixed) const {
    if (!is_of_constants(fixed, *context_.values)) return std::nullopt;
    const HostTensor tensor = values_over(fixed, *context_.kernel, context_.axes, *context_.values);
    PointNumbers out;
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const ScalarValue one = tensor.get(i);
      out.push_back(is_float(fixed.type()) ? one.number : static_cast<double>(one.integer));
      if (std::isnan(out.back())) return std::nullopt;
    }
    return out;
  }

  // --- Forms ---
  static void move(RealForm& form, size_t p, double by) {
    form.offset[p] += by;
    for (RealStage& stage : form.stages) {
      if (stage.operand >= 0) continue;
      stage.least[p] += by;
      stage.greatest[p] += by;
    }
  }
  static void scale(RealForm& form, size_t p, double by) {
    form.offset[p] *= by;
    form.error[p] *= std::abs(by);
    for (RealStage& stage : form.stages) {
      if (stage.operand >= 0) {
        stage.factor[p] *= by;
        continue;
      }
      // No limit stays none.
      const auto scaled = [&](double x) { return std::isinf(x) && by == 0 ? 0 : x * by; };
      stage.least[p] = scaled(stage.least[p]);
      stage.greatest[p] = scaled(stage.greatest[p]);
      if (by < 0) std::swap(stage.least[p], stage.greatest[p]);
    }
  }
  static bool has_limits(const RealForm& form) {
    return std::any_of(form.stages.begin(), form.stages.end(),
                       [](const RealStage& stage) { return stage.operand < 0; });
  }
  std::optional<RealForm> rounded(RealForm form) const {
    for (size_t p = 0; p < points_; ++p) {
      const double most =
          range_of(form, p, form.stages.size(), context_.operands).most() + form.error[p];
      if (!(most < kMostReal)) return std::nullopt;
      form.error[p] += most * kHalfUnitOfOne + 0x1p-149;
    }
    return form;
  }

  // Of an f32 or an i32 that moves.
  std::optional<RealForm> of(const Expr& expr) {
    if (const int operand = operand_of(expr); operand >= 0) {
      RealForm out;
      out.offset.assign(points_, 0);
      out.error.assign(points_, 0);
      out.stages = {{operand, PointNumbers(points_, 1), {}, {}}};
      return out;
    }
    if (expr.type() != Type::f32 && expr.type() != Type::i32) return std::nullopt;
    const bool real = expr.type() == Type::f32;
    if (expr.kind() == ExprKind::cast) {
      const Expr& from = expr->operands[0];
      const bool small = from.type() == Type::u8 || from.type() == Type::i8;
      if (expr->mode != CastMode::convert || expr->storage != expr.type() ||
          !(small || (real && from.type() == Type::i32)))
        return std::nullopt;
      return of(from);
    }
    if (expr.kind() == ExprKind::unary && real && expr->unary() == Unary::neg) {
      std::optional<RealForm> form = of(expr->operands[0]);
      for (size_t p = 0; form && p < points_; ++p) scale(*form, p, -1);
      return form;
    }
    if (expr.kind() != ExprKind::binary) return std::nullopt;
    const bool first = moves(expr->operands[0]), second = moves(expr->operands[1]);
    std::optional<RealForm> form = first && second ? sum(expr) : with_constant(expr, first);
    if (!form) return std::nullopt;
    if (real) return rounded(std::move(*form));
    // Integers are exact as long as floats of them are.
    for (size_t p = 0; p < points_; ++p) {
      if (range_of(*form, p, form->stages.size(), context_.operands).most() > kMostRounded)
        return std::nullopt;
    }
    return form;
  }

  std::optional<RealForm> sum(const Expr& expr) {
    const Binary op = expr->binary();
    if (op != Binary::add && op != Binary::sub) return std::nullopt;
    std::optional<RealForm> a = of(expr->operands[0]), b = of(expr->operands[1]);
    if (!a || !b) return std::nullopt;
    if (op == Binary::sub) {
      for (size_t p = 0; p < points_; ++p) scale(*b, p, -1);
    }
    if (has_limits(*b)) std::swap(a, b);
    if (has_limits(*b)) return std::nullopt;
    for (size_t p = 0; p < points_; ++p) {
      move(*a, p, b->offset[p]);
      a->error[p] += b->error[p];
    }
    a->stages.insert(a->stages.end(), b->stages.begin(), b->stages.end());
    return a;
  }

  std::optional<RealForm> with_constant(const Expr& expr, bool first) {
    const Binary op = expr->binary();
    const Expr& fixed = expr->operands[first ? 1 : 0];
    const std::optional<PointNumbers> by = numbers(fixed);
    if (!by) return std::nullopt;
    std::optional<RealForm> form = of(expr->operands[first ? 0 : 1]);
    if (!form) return std::nullopt;
    const bool limits = op == Binary::min || op == Binary::max;
    if (limits) {
      const double infinity = std::numeric_limits<double>::infinity();
      RealStage stage;
      stage.least = op == Binary::max ? *by : PointNumbers(points_, -infinity);
      stage.greatest = op == Binary::min ? *by : PointNumbers(points_, infinity);
      form->stages.push_back(std::move(stage));
      return form;
    }
    for (size_t p = 0; p < points_; ++p) {
      const double one = (*by)[p];
      if (!std::isfinite(one)) return std::nullopt;
      switch (op) {
        case Binary::add:
          move(*form, p, one);
          break;
        case Binary::sub:
          if (!first) scale(*form, p, -1);
          move(*form, p, first ? -one : one);
          break;
        case Binary::mul:
          if (expr.type() != Type::f32) return std::nullopt;
          scale(*form, p, one);
          break;
        case Binary::div:
          if (expr.type() != Type::f32 || !first || one == 0) return std::nullopt;
          scale(*form, p, 1 / one);
          break;
        default:
          return std::nullopt;
      }
    }
    return form;
  }

  const FormContext& context_;
  size_t points_ = 1;
};

}  // namespace

std::optional<RealForm> real_form_of(const Expr& value, const FormContext& context) {
  return RealForms(context).whole(value);
}

RealRange range_of(const RealForm& form, size_t point, size_t stages,
                   const std::vector<Expr>& operands) {
  RealRange out{form.offset[point], form.offset[point]};
  for (size_t s = 0; s < stages; ++s) {
    const RealStage& stage = form.stages[s];
    if (stage.operand < 0) {
      const auto within = [&](double x) {
        return std::min(std::max(x, stage.least[point]), stage.greatest[point]);
      };
      out = {within(out.lo), within(out.hi)};
      continue;
    }
    const Type type = operands[at(stage.operand)].type();
    const double a = stage.factor[point] * static_cast<double>(lowest(type)),
                 b = stage.factor[point] * static_cast<double>(highest(type));
    out.lo += std::min(a, b);
    out.hi += std::max(a, b);
  }
  return out;
}

}  // namespace burin
