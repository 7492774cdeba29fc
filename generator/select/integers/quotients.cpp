#include "select/integers/quotients.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "kernel/expr/scalar.h"
#include "kernel/tensor.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr double kMost = 0x1p60;  // of x
constexpr double kLeastDivisor = 0x1p-40, kMostDivisor = 0x1p40;
// Rounded quotients that sums with a zero point make different bytes of, and more.
constexpr int kMostQuotient = 520;
constexpr int kAround = 4;  // numbers on each side; quotients and products stray by two at most

float of_product(float x, const Reciprocal& by) {
  const ScalarValue low = apply(Binary::mul, Type::f32, {x, 0}, {by.rest, 0});
  return static_cast<float>(multiplied_and_added({x, 0}, {by.whole, 0}, low).number);
}

// What its magnitude does not pass; nullopt: nothing is known, or it may be no number.
std::optional<double> bound_of(const Expr& expr, const std::vector<Value>& values) {
  if (expr.type() == Type::i32) return 0x1p31;
  if (expr.type() != Type::f32) return std::nullopt;
  const auto operand = [&](size_t k) { return bound_of(expr->operands[k], values); };
  switch (expr.kind()) {
    case ExprKind::constant:
      if (!std::isfinite(expr->number)) return std::nullopt;
      return std::abs(expr->number);
    case ExprKind::load: {
      const Value& value = values[at(expr->id)];
      if (value.kind != ValueKind::constant || value.type != Type::f32) return std::nullopt;
      double most = 0;
      const int64_t count = size_bytes(value.type, product(value.shape).constant()) / 4;
      const LoadFunction read = load_function(value.type);
      for (int64_t i = 0; i < count; ++i) {
        const double number = std::abs(read(value.constant.data, i).number);
        if (!std::isfinite(number)) return std::nullopt;
        most = std::max(most, number);
      }
      return most;
    }
    case ExprKind::cast:
      if (is_float(expr->operands[0].type())) return std::nullopt;
      return size_bytes(expr->operands[0].type(), 1) <= 4 ? std::optional(0x1p32) : std::nullopt;
    case ExprKind::unary:
      if (expr->unary() != Unary::neg && expr->unary() != Unary::abs) return std::nullopt;
      return operand(0);
    case ExprKind::binary: {
      const std::optional<double> a = operand(0), b = operand(1);
      if (!a || !b) return std::nullopt;
      std::optional<double> out;
      switch (expr->binary()) {
        case Binary::add:
        case Binary::sub:
          out = *a + *b;
          break;
        case Binary::mul:
          out = *a * *b;
          break;
        case Binary::min:
        case Binary::max:
          out = std::max(*a, *b);
          break;
        default:
          return std::nullopt;
      }
      // As rounded.
      return *out <= kMost ? std::optional(*out * (1 + 0x1p-23)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// A number that is the same everywhere.
std::optional<float> known_number(const Expr& expr, const std::vector<Value>& values) {
  if (expr.type() != Type::f32) return std::nullopt;
  if (expr.is_constant()) return static_cast<float>(expr->number);
  if (expr.kind() != ExprKind::load || expr->id < 0) return std::nullopt;
  const Value& value = values[at(expr->id)];
  if (value.kind != ValueKind::constant || value.type != Type::f32 ||
      !(product(value.shape) == Dim(1)))
    return std::nullopt;
  return static_cast<float>(load_function(value.type)(value.constant.data, 0).number);
}

// The quotient in byte.sat(round(x / c)), or with something added to what is rounded.
Expr quotient_in(const Expr& byte) {
  if (byte.kind() != ExprKind::cast || byte->mode != CastMode::saturate || !is_byte(byte->storage))
    return {};
  const auto rounded = [](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::unary || expr->unary() != Unary::round) return {};
    const Expr& of = expr->operands[0];
    return of.kind() == ExprKind::binary && of->binary() == Binary::div && of.type() == Type::f32
               ? of
               : Expr();
  };
  const Expr& all = byte->operands[0];
  if (Expr found = rounded(all)) return found;
  if (all.kind() != ExprKind::binary || all->binary() != Binary::add) return {};
  // A byte's zero point.
  const Expr& zero = all->operands[1];
  const bool narrow = zero.is_constant()
                          ? std::abs(zero->number) <= 255
                          : zero.kind() == ExprKind::cast && is_byte(zero->operands[0].type());
  return narrow ? rounded(all->operands[0]) : Expr();
}

}  // namespace

std::optional<Reciprocal> reciprocal_for_bytes(float divisor) {
  if (!(divisor >= kLeastDivisor && divisor <= kMostDivisor)) return std::nullopt;
  Reciprocal out;
  out.whole = 1 / divisor;
  // Exact in double, but for the quotient.
  const double lacks = 1 - static_cast<double>(divisor) * static_cast<double>(out.whole);
  out.rest = static_cast<float>(lacks / divisor);
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (int k = -kMostQuotient; k < kMostQuotient; ++k) {
    float x = static_cast<float>((k + 0.5) * static_cast<double>(divisor));
    for (int step = 0; step < kAround; ++step) x = std::nextafter(x, -kInfinite);
    for (int step = -kAround; step <= kAround; ++step, x = std::nextafter(x, kInfinite)) {
      if (std::nearbyint(x / divisor) != std::nearbyint(of_product(x, out))) return std::nullopt;
    }
  }
  return out;
}

Expr with_products(const Expr& value, const std::string& name, std::vector<Value>& values) {
  std::map<float, std::pair<Expr, Expr>> made;
  const auto constant = [&](const char* what, float number) {
    std::vector<std::byte> bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    const ValueId id =
        add_constant(values, name + what, Type::f32, {}, make_constant(std::move(bytes)));
    return Expr::load(id, Type::f32, {});
  };
  return rewrite(
      value,
      [&](const Expr& expr) -> Expr {
        const Expr quotient = quotient_in(expr);
        if (!quotient) return expr;
        const Expr& x = quotient->operands[0];
        const std::optional<float> divisor = known_number(quotient->operands[1], values);
        if (!divisor || !bound_of(x, values)) return expr;
        auto known = made.find(*divisor);
        if (known == made.end()) {
          const std::optional<Reciprocal> by = reciprocal_for_bytes(*divisor);
          if (!by) return expr;
          // One after the other: the order of constants is that of the tree.
          const Expr whole = constant("/reciprocal", by->whole);
          const Expr rest = constant("/rest", by->rest);
          known = made.emplace(*divisor, std::pair(whole, rest)).first;
        }
        const auto& [whole, rest] = known->second;
        return replaced(expr, quotient, Expr::fused(x, whole, x * rest));
      },
      [](const Index& index) { return index; });
}

void use_products(Kernel& kernel, std::vector<Value>& values, const Hardware& hardware) {
  if (!hardware.instructions.fma || hardware.vector.vector_bytes == 0) return;
  for (Write& write : kernel.writes) write.value = with_products(write.value, kernel.name, values);
}

}  // namespace burin
