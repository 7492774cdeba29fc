#include "select/bytes/line.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "isa/requantise_rows.h"
#include "kernel/expr/expr_axes.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/line_steps.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

class LineChain {
 public:
  // `is_sum`: what the line is of.
  LineChain(const Kernel& kernel, std::function<bool(const ExprNode&)> is_sum,
            const std::vector<int>& axes, const std::vector<Value>& values)
      : kernel_(kernel), is_sum_(std::move(is_sum)), axes_(axes), values_(values) {}

  // Steps from the sum to the expression, first one first; false: it is something else.
  bool add(const Expr& expr) {
    if (is_sum_(*expr)) return true;
    if (expr.kind() == ExprKind::let) return false;
    if (expr.kind() == ExprKind::cast)
      return expr->mode == CastMode::convert && expr->storage == Type::f32 &&
             expr->operands[0].type() == Type::i32 && add(expr->operands[0]) &&
             push(LineStep::Kind::as_float, expr, {});
    if (expr.kind() == ExprKind::unary)
      return expr->unary() == Unary::round && expr.type() == Type::f32 && add(expr->operands[0]) &&
             push(LineStep::Kind::round, expr, {});
    if (expr.kind() != ExprKind::binary) return false;
    const Expr &a = expr->operands[0], &b = expr->operands[1];
    const bool first = has_sum(a);
    if (first == has_sum(b)) return false;
    const Expr& moving = first ? a : b;
    const Expr& fixed = first ? b : a;
    switch (expr->binary()) {
      case Binary::add:
        return add(moving) && push(LineStep::Kind::add, expr, fixed);
      case Binary::sub:
        return first && add(moving) && push(LineStep::Kind::add, expr, fixed, -1);
      case Binary::mul:
        return expr.type() == Type::f32 && add(moving) &&
               push(LineStep::Kind::multiply, expr, fixed);
      case Binary::div:
        return first && expr.type() == Type::f32 && add(moving) &&
               push(LineStep::Kind::divide, expr, fixed);
      case Binary::max:
        return add(moving) && push(LineStep::Kind::least, expr, fixed);
      case Binary::min:
        return add(moving) && push(LineStep::Kind::greatest, expr, fixed);
      default:
        return false;
    }
  }
  const std::vector<LineStep>& steps() const { return steps_; }

 private:
  bool has_sum(const Expr& expr) const {
    bool found = false;
    visit(expr, [&](const ExprNode& node) {
      found = found || node.kind == ExprKind::let || is_sum_(node);
    });
    return found;
  }
  bool is_constant(const Expr& expr) const {
    bool all = true;
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load)
        all = all && values_[at(node.id)].kind == ValueKind::constant;
      if (node.kind == ExprKind::index) all = all && node.index.is_constant();
    });
    for (const int axis : axes_of(expr)) all = all && contains(axes_, axis);
    return all;
  }
  bool push(LineStep::Kind kind, const Expr& whole, const Expr& fixed, int sign = 1) {
    LineStep step{kind, whole.type() == Type::f32, {}};
    if (fixed) {
      if (!is_constant(fixed)) return false;
      const HostTensor numbers = values_over(fixed, kernel_, axes_, values_);
      for (int64_t i = 0; i < numbers.elements(); ++i) {
        const ScalarValue one = numbers.get(i);
        step.numbers.push_back(sign * (step.real ? one.number : static_cast<double>(one.integer)));
      }
    }
    steps_.push_back(std::move(step));
    return true;
  }

  const Kernel& kernel_;
  const std::function<bool(const ExprNode&)> is_sum_;
  const std::vector<int>& axes_;
  const std::vector<Value>& values_;
  std::vector<LineStep> steps_;
};

// factor * s + offset, within limits; `error`: what roundings reach.
struct RealLine {
  double factor = 1, offset = 0, error = 0;
  float least = -std::numeric_limits<float>::infinity();
  float greatest = std::numeric_limits<float>::infinity();
};

constexpr double kHalfUnit = 0x1p-24;  // of a float of 1, or more where its first digit is higher

// The line behind the steps at a point, for sums in [lo, hi]. nullopt: it is none that rises, or
// integers on the way leave 32 bits.
std::optional<RealLine> line_of(const std::vector<LineStep>& steps, size_t point, double lo,
                                double hi, double bound) {
  RealLine line;
  bool rounded = false;
  const auto limits = [&](const auto& operation) {
    line.least = operation(line.least);
    line.greatest = operation(line.greatest);
  };
  for (const LineStep& step : steps) {
    const double number = step.numbers.empty() ? 0 : step.numbers[point];
    const auto single = static_cast<float>(number);
    if (!std::isfinite(number)) return std::nullopt;
    bool rounds = step.real;
    switch (step.kind) {
      case LineStep::Kind::add:
        line.offset += number;
        if (step.real) limits([&](float x) { return x + single; });
        if (!step.real && line.offset != 0 && bound + std::abs(line.offset) >= 0x1p31)
          return std::nullopt;
        // Bytes and their zero points are exact.
        if (rounded) rounds = false;
        if (rounded && (number != std::nearbyint(number) || std::abs(number) > 255))
          return std::nullopt;
        break;
      case LineStep::Kind::multiply:
      case LineStep::Kind::divide: {
        const bool divides = step.kind == LineStep::Kind::divide;
        if (!(number > 0) || rounded) return std::nullopt;
        const double by = divides ? 1 / number : number;
        line.factor *= by;
        line.offset *= by;
        line.error *= by;
        limits([&](float x) { return divides ? x / single : x * single; });
        break;
      }
      case LineStep::Kind::as_float:
        rounds = std::max(std::abs(line.factor * lo + line.offset),
                          std::abs(line.factor * hi + line.offset)) > 0x1p24;
        break;
      case LineStep::Kind::round:
        if (rounded) return std::nullopt;
        rounded = true;
        rounds = false;
        limits([](float x) { return std::nearbyint(x); });
        break;
      case LineStep::Kind::least:
      case LineStep::Kind::greatest:
        // A limit of integers, before they are floats, is none of this line.
        if (!step.real) return std::nullopt;
        rounds = false;
        limits([&](float x) {
          return step.kind == LineStep::Kind::least ? std::max(x, single) : std::min(x, single);
        });
        break;
    }
    if (!rounds) continue;
    const double most = std::max(std::abs(line.factor * lo + line.offset),
                                 std::abs(line.factor * hi + line.offset)) +
                        line.error;
    if (!(most < 0x1p120)) return std::nullopt;
    line.error += most * kHalfUnit + 0x1p-149;
  }
  if (!rounded) return std::nullopt;
  return line;
}

bool is_rounded_byte(const Expr& whole) {
  return whole.kind() == ExprKind::cast && whole->mode == CastMode::saturate &&
         is_byte(whole->storage) && whole->operands[0].type() == Type::f32;
}

int32_t limit_within(float x, Type type) {
  const auto lo = static_cast<float>(lowest(type)), hi = static_cast<float>(highest(type));
  return static_cast<int32_t>(std::min(std::max(x, lo), hi));
}

int shift_of(const RealLine& line) {
  return std::max(0, static_cast<int>(std::floor(std::log2(line.factor))) + isa::kLineFraction + 1);
}

// A line as 32-bit numbers, with a shift of its own or a greater one; nullopt: it does not fit.
std::optional<std::vector<int32_t>> parts_of(const RealLine& line, Type type, int64_t bound,
                                             int shift) {
  constexpr double kOne = 1 << isa::kLineFraction;
  constexpr double kFactorRounds = 0x1p-6;  // moves a byte's position by less
  const double factor = std::nearbyint(line.factor * kOne * std::ldexp(1.0, 31 - shift)),
               real_offset = (line.offset + 0.5) * kOne, offset = std::nearbyint(real_offset),
               strays = line.error * kOne * 1.01 + kFactorRounds;
  // The product is rounded down, so what floats say is from `below` under the position to `above`
  // over it.
  const double below = std::max(0.0, std::ceil(strays - (real_offset - offset))),
               above = std::floor(strays + (real_offset - offset) + 1);
  const double most = static_cast<double>(bound);
  // Sums beyond those that become bytes have ends for results, if two bytes are not between two
  // sums.
  if (line.factor > 1 || shift > 31 || std::ldexp(most, shift) >= 0x1p31 ||
      !(factor >= 1 && factor < 0x1p31) ||
      line.factor * kOne * most + std::abs(offset) + above + 4 >= 0x1p31 ||
      below + above >= kOne / 4)
    return std::nullopt;
  return std::vector<int32_t>{shift,
                              static_cast<int32_t>(factor),
                              static_cast<int32_t>(offset + above),
                              static_cast<int32_t>(below + above),
                              limit_within(line.least, type),
                              limit_within(line.greatest, type)};
}

// Lines of lanes: what they have in common besides the shift. false: limits differ.
bool make_common(std::vector<std::vector<int32_t>>& lines) {
  int32_t near = 0;
  for (const std::vector<int32_t>& one : lines) {
    if (one[isa::kLineLeast] != lines[0][isa::kLineLeast] ||
        one[isa::kLineGreatest] != lines[0][isa::kLineGreatest])
      return false;
    near = std::max(near, one[isa::kLineNear]);
  }
  for (std::vector<int32_t>& one : lines) one[isa::kLineNear] = near;
  return true;
}

}  // namespace

std::optional<SumLines> find_lines(const Expr& whole, const Kernel& kernel, const IsSum& is_sum,
                                   const std::vector<int>& axes, const std::vector<int64_t>& bounds,
                                   const std::vector<Value>& values, size_t along) {
  if (!is_rounded_byte(whole)) return std::nullopt;
  LineChain chain(kernel, is_sum, axes, values);
  if (!chain.add(whole->operands[0])) return std::nullopt;
  SumLines out;
  out.type = whole->storage;
  out.axes = axes;
  for (const int axis : axes) out.extents.push_back(kernel.axes[at(axis)].extent.constant());
  for (size_t first = 0; first < bounds.size(); first += along) {
    std::vector<RealLine> lines;
    int shift = 0;
    int64_t bound = 0, enough = 0;
    double least = 0, greatest = 0;
    for (size_t point = first; point < first + along; ++point) {
      const auto most = static_cast<double>(bounds[point]);
      const std::optional<RealLine> rough = line_of(chain.steps(), point, 0, 0, most);
      if (!rough) return std::nullopt;
      // Sums that become bytes, and two more on either side; those beyond give the ends.
      const auto sum_at = [&](double byte_number) {
        return std::min(std::max((byte_number - rough->offset) / rough->factor, -most), most);
      };
      const double lo = sum_at(static_cast<double>(lowest(out.type)) - 2),
                   hi = sum_at(static_cast<double>(highest(out.type)) + 2);
      const std::optional<RealLine> line = line_of(chain.steps(), point, lo, hi, most);
      if (!line) return std::nullopt;
      lines.push_back(*line);
      shift = std::max(shift, shift_of(*line));
      bound = std::max(bound, bounds[point]);
      least = point == first ? std::floor(lo) : std::min(least, std::floor(lo));
      greatest = point == first ? std::ceil(hi) : std::max(greatest, std::ceil(hi));
    }
    enough = static_cast<int64_t>(std::max(-least, greatest));
    const auto parts_for = [&](int64_t most) {
      std::vector<std::vector<int32_t>> parts;
      for (const RealLine& line : lines) {
        std::optional<std::vector<int32_t>> one = parts_of(line, out.type, most, shift);
        if (one) parts.push_back(std::move(*one));
      }
      return parts;
    };
    std::vector<std::vector<int32_t>> parts = parts_for(bound);
    if (parts.size() < along) {
      parts = parts_for(enough);
      if (parts.size() < along) return std::nullopt;
      if (out.limits.empty()) {
        for (size_t before = 0; before < bounds.size(); ++before) {
          out.limits.push_back(std::numeric_limits<int32_t>::min());
          out.limits.push_back(std::numeric_limits<int32_t>::max());
        }
      }
      for (size_t point = first; point < first + along; ++point) {
        out.limits[2 * point] = static_cast<int32_t>(least);
        out.limits[2 * point + 1] = static_cast<int32_t>(greatest);
      }
    }
    for (size_t point = first; point < first + along; ++point) {
      const bool limited = !out.limits.empty();
      const int64_t lo = limited ? out.limits[2 * point] : -bounds[point],
                    hi = limited ? out.limits[2 * point + 1] : bounds[point];
      make_doubts_few(chain.steps(), point, out.type, std::max(lo, -bounds[point]),
                      std::min(hi, bounds[point]), parts[point - first]);
    }
    if (!make_common(parts)) return std::nullopt;
    for (const std::vector<int32_t>& one : parts)
      out.parts.insert(out.parts.end(), one.begin(), one.end());
  }
  // All of them call the same near.
  int32_t near = 0;
  for (size_t p = isa::kLineNear; p < out.parts.size(); p += isa::kLineParts)
    near = std::max(near, out.parts[p]);
  for (size_t p = isa::kLineNear; p < out.parts.size(); p += isa::kLineParts) out.parts[p] = near;
  return out;
}

namespace {

std::optional<FloatLine> float_line_of(const std::vector<LineStep>& steps, size_t point,
                                       Type type) {
  const std::optional<RealLine> rough = line_of(steps, point, 0, 0, 0);
  if (!rough) return std::nullopt;
  FloatLine out;
  out.type = type;
  const auto number_at = [&](double byte) { return (byte - rough->offset) / rough->factor; };
  const std::optional<RealLine> line =
      line_of(steps, point, number_at(static_cast<double>(lowest(type)) - 2),
              number_at(static_cast<double>(highest(type)) + 2), 0);
  constexpr double kOne = 1 << isa::kLineFraction;
  constexpr double kMostPosition = 1 << 28;
  if (!line || std::abs(line->offset) * kOne > kMostPosition) return std::nullopt;
  const double scale = line->factor * kOne;
  if (!(scale > 0x1p-100 && scale < 0x1p100)) return std::nullopt;
  out.scale = static_cast<float>(scale);
  // Of the scale at the greatest position that is a byte's, of the product and of the offset.
  const double most = (std::abs(line->offset) + 260) * kOne,
               reach = std::ceil((line->error * kOne + most * kHalfUnit) * 1.01) + 3;
  if (reach >= kOne / 256) return std::nullopt;
  out.offset = static_cast<int32_t>(std::nearbyint((line->offset + 0.5) * kOne));
  out.reach = static_cast<int32_t>(reach);
  out.least = limit_within(line->least, type);
  out.greatest = limit_within(line->greatest, type);
  return out;
}

}  // namespace

std::vector<FloatLine> find_float_lines(const Expr& whole, const Expr& number, const Kernel& kernel,
                                        const std::vector<int>& axes,
                                        const std::vector<Value>& values) {
  if (!is_rounded_byte(whole) || number.type() != Type::f32) return {};
  const ExprNode* const from = &*number;
  const auto is_number = [&](const ExprNode& node) {
    return node.kind == from->kind && node.id == from->id && node.at == from->at;
  };
  LineChain chain(kernel, is_number, axes, values);
  if (!chain.add(whole->operands[0])) return {};
  size_t points = 1;
  for (const int axis : axes)
    points *= static_cast<size_t>(kernel.axes[at(axis)].extent.constant());
  std::vector<FloatLine> out;
  for (size_t p = 0; p < points; ++p) {
    const std::optional<FloatLine> line = float_line_of(chain.steps(), p, whole->storage);
    if (!line) return {};
    out.push_back(*line);
  }
  return out;
}

std::optional<std::vector<int32_t>> find_product_line(const Expr& whole, const Expr& product,
                                                      double step, int64_t bound, int roundings,
                                                      const Kernel& kernel,
                                                      const std::vector<Value>& values) {
  if (!is_rounded_byte(whole) || !(step > 0)) return std::nullopt;
  const ExprNode* const from = &*product;
  LineChain chain(
      kernel, [&](const ExprNode& node) { return &node == from; }, {}, values);
  if (!chain.add(whole->operands[0])) return std::nullopt;
  const double most = step * static_cast<double>(bound);
  std::optional<RealLine> line = line_of(chain.steps(), 0, -most, most, 0);
  if (!line) return std::nullopt;
  line->error += line->factor * most * roundings * kHalfUnit;
  line->factor *= step;
  return parts_of(*line, whole->storage, bound, shift_of(*line));
}

}  // namespace burin
