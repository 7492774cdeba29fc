#include "select/bytes/run_line.h"

#include <cmath>

#include "select/bytes/known_rows.h"

namespace burin {
namespace {

constexpr double kHalfUnitOfRun = 0x1p-24;  // of the magnitude of a float
constexpr double kGreatestByte = 255;       // magnitude, and of a zero point

Expr real(double number) { return Expr::constant(Type::f32, number); }
Expr magnitude(const Expr& a) { return Expr::unary(Unary::abs, a); }

class RunLines {
 public:
  explicit RunLines(const Expr& byte) : byte_(byte) {}

  std::optional<RunLine> whole(const Expr& value) {
    if (value.kind() != ExprKind::cast || value->mode != CastMode::saturate ||
        !is_byte(value->storage) || value->operands[0].type() != Type::f32)
      return std::nullopt;
    Expr inner = value->operands[0];
    Expr zero = real(0);
    if (inner.kind() == ExprKind::binary && inner->binary() == Binary::add) {
      const bool first = has_byte(inner->operands[0]);
      zero = inner->operands[first ? 1 : 0];
      inner = inner->operands[first ? 0 : 1];
      if (has_byte(zero) || !is_small_whole(zero)) return std::nullopt;
    }
    if (inner.kind() != ExprKind::unary || inner->unary() != Unary::round) return std::nullopt;
    if (!add(inner->operands[0])) return std::nullopt;
    RunLine& line = *line_;
    line.offset = line.offset + (zero + 0.5);
    line.most_of_value = line.most;
    line.most = line.most + (kGreatestByte + 1);
    line.roundings += 2;
    line.least = static_cast<int>(lowest(value->storage));
    line.greatest = static_cast<int>(highest(value->storage));
    return line;
  }

 private:
  bool has_byte(const Expr& expr) const {
    bool found = expr == byte_;
    for (const Expr& one : expr->operands) found = found || has_byte(one);
    return found;
  }
  // A byte as a number, which f32 holds.
  static bool is_small_whole(const Expr& expr) {
    if (expr.is_constant()) {
      const double number =
          is_float(expr.type()) ? expr->number : static_cast<double>(expr->integer);
      return number == std::nearbyint(number) && std::abs(number) <= kGreatestByte;
    }
    return expr.kind() == ExprKind::cast && expr->mode == CastMode::convert &&
           is_byte(expr->operands[0].type());
  }

  // The line of an expression in f32.
  bool add(const Expr& expr) {
    if (expr.type() != Type::f32) return false;
    if (expr == byte_) return start(real(0), 1);
    if (expr.kind() == ExprKind::cast)
      return expr->mode == CastMode::convert && add_whole(expr->operands[0]);
    if (expr.kind() != ExprKind::binary) return false;
    const bool first = has_byte(expr->operands[0]);
    if (first == has_byte(expr->operands[1])) return false;
    const Expr& moving = expr->operands[first ? 0 : 1];
    const Expr& fixed = expr->operands[first ? 1 : 0];
    const Binary op = expr->binary();
    const bool sums = op == Binary::add || (op == Binary::sub && first);
    const bool scales = op == Binary::mul || (op == Binary::div && first);
    if ((!sums && !scales) || !add(moving)) return false;
    RunLine& line = *line_;
    // Its own rounding, and those of both numbers.
    line.roundings += 3;
    const auto by = [&](const Expr& a, const Expr& b) { return Expr::binary(op, a, b); };
    if (sums || !line.offset.is_constant(0)) line.offset = by(line.offset, fixed);
    if (scales) line.factor = by(line.factor, fixed);
    line.most = sums ? line.most + magnitude(fixed) : by(line.most, magnitude(fixed));
    line.least_most = min(line.least_most, line.most);
    return true;
  }
  // x, or x minus a byte.
  bool add_whole(const Expr& expr) {
    if (expr == byte_) return start(real(0));
    if (expr.kind() == ExprKind::cast && expr->mode == CastMode::convert)
      return expr.type() == Type::i32 && expr->operands[0] == byte_ && start(real(0));
    if (expr.kind() != ExprKind::binary || expr->binary() != Binary::sub ||
        expr.type() != Type::i32 || has_byte(expr->operands[1]) ||
        !is_small_whole(expr->operands[1]) || !add_whole(expr->operands[0]))
      return false;
    line_->offset = real(0) - Expr::cast(Type::f32, expr->operands[1]);
    line_->most = real(2 * kGreatestByte);
    return true;
  }
  bool start(const Expr& offset, double most = kGreatestByte) {
    line_ = RunLine{real(1), offset, real(most), {}, real(1), 0, 0, 0};
    return true;
  }

  const Expr& byte_;
  std::optional<RunLine> line_;
};

}  // namespace

std::optional<RunLine> run_line_of(const Expr& value, const Expr& byte) {
  return RunLines(byte).whole(value);
}

Expr run_line_reach(const RunLine& line, const Expr& most) {
  // What fixed point strays: half a unit for the beginning, and for each of 255 of the factor; one
  // more for this number itself, which is computed in f32 as well.
  constexpr double kOfFixedPoint = kGreatestByte / 2 + 3;
  const double each =
      (line.roundings + 2) * kHalfUnitOfRun * std::ldexp(1.0, kRunLineFraction) * 1.01;
  return Expr::cast(Type::i32, most * each + kOfFixedPoint);
}

}  // namespace burin
