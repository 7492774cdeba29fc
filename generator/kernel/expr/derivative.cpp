#include "kernel/expr/derivative.h"

#include <cmath>

namespace burin {
namespace {

Expr root(const Expr& x) { return Expr::unary(Unary::sqrt, x); }

// seed * f'(x), y being f(x); empty: no derivative.
Expr by_operand(Unary op, const Expr& x, const Expr& y, const Expr& seed) {
  switch (op) {
    case Unary::neg:
      return -seed;
    case Unary::abs:
      return seed * Expr::unary(Unary::sign, x);
    case Unary::sqrt:
      return seed * 0.5 / y;
    case Unary::rsqrt:
      return seed * -0.5 * y / x;
    case Unary::exp:
      return seed * y;
    case Unary::log:
      return seed / x;
    case Unary::log1p:
      return seed / (x + 1);
    case Unary::expm1:
      return seed * (y + 1);
    case Unary::sin:
      return seed * Expr::unary(Unary::cos, x);
    case Unary::cos:
      return -(seed * Expr::unary(Unary::sin, x));
    case Unary::tan:
      return seed * (y * y + 1);
    case Unary::asin:
      return seed / root(1 - x * x);
    case Unary::acos:
      return -(seed / root(1 - x * x));
    case Unary::atan:
      return seed / (x * x + 1);
    case Unary::sinh:
      return seed * Expr::unary(Unary::cosh, x);
    case Unary::cosh:
      return seed * Expr::unary(Unary::sinh, x);
    case Unary::tanh:
      return seed * (1 - y * y);
    case Unary::asinh:
      return seed / root(x * x + 1);
    case Unary::acosh:
      return seed / root(x * x - 1);
    case Unary::atanh:
      return seed / (1 - x * x);
    case Unary::erf:
      return seed * Expr::unary(Unary::exp, -(x * x)) * (2 / std::sqrt(M_PI));
    default:
      return {};
  }
}

struct Pair {
  Expr a, b;  // empty: no derivative
};

Pair by_operands(Binary op, const Expr& a, const Expr& b, const Expr& y, const Expr& seed) {
  const Expr zero = Expr::constant(seed.type(), 0);
  switch (op) {
    case Binary::add:
      return {seed, seed};
    case Binary::sub:
      return {seed, -seed};
    case Binary::mul:
      return {seed * b, seed * a};
    case Binary::div:
      return {seed / b, -(seed * y / b)};
    case Binary::min:
    case Binary::max: {
      const Expr first = compare(op == Binary::min ? Binary::le : Binary::ge, a, b);
      return {Expr::select(first, seed, zero), Expr::select(first, zero, seed)};
    }
    case Binary::pow: {
      const Expr less = Expr::binary(Binary::pow, a, b - 1);
      const Expr positive = compare(Binary::gt, a, Expr::constant(a.type(), 0));
      return {seed * b * less, Expr::select(positive, seed * y * Expr::unary(Unary::log, a), zero)};
    }
    case Binary::atan2: {
      const Expr square = a * a + b * b;
      return {seed * b / square, -(seed * a / square)};
    }
    case Binary::fmod:
      return {seed, -(seed * Expr::unary(Unary::trunc, a / b))};
    case Binary::mod:
      return {seed, -(seed * Expr::unary(Unary::floor, a / b))};
    default:
      return {};
  }
}

class Walk {
 public:
  explicit Walk(std::vector<Partial>& out) : out_(out) {}

  void visit(const Expr& expr, const Expr& seed) {
    if (!is_float(expr.type())) return;
    switch (expr.kind()) {
      case ExprKind::load:
      case ExprKind::let:
        out_.push_back({expr, within_cases(seed)});
        return;
      case ExprKind::unary:
        if (const Expr next = by_operand(expr->unary(), expr->operands[0], expr, seed))
          visit(expr->operands[0], next);
        return;
      case ExprKind::binary: {
        const Expr &a = expr->operands[0], &b = expr->operands[1];
        if (!is_float(a.type())) return;
        const Pair next = by_operands(expr->binary(), a, b, expr, seed);
        if (next.a) visit(a, next.a);
        if (next.b) visit(b, next.b);
        return;
      }
      case ExprKind::select: {
        const Expr zero = Expr::constant(seed.type(), 0);
        visit(expr->operands[1], Expr::select(expr->operands[0], seed, zero));
        visit(expr->operands[2], Expr::select(expr->operands[0], zero, seed));
        return;
      }
      case ExprKind::cast:
        visit(expr->operands[0], Expr::cast(expr->operands[0].type(), seed));
        return;
      case ExprKind::cases:
        visit_cases(expr, seed);
        return;
      default:
        return;
    }
  }

 private:
  // Cases that hold before the one that is visited, and that one; no guard: none of them.
  struct Chosen {
    std::vector<Guard> before;
    std::optional<Guard> here;
  };

  void visit_cases(const Expr& expr, const Expr& seed) {
    Chosen chosen;
    for (const Expr::Case& one : expr->cases) {
      chosen.here = one.guard;
      chosen_.push_back(chosen);
      visit(one.value, seed);
      chosen_.pop_back();
      chosen.before.push_back(one.guard);
    }
    chosen.here.reset();
    chosen_.push_back(chosen);
    visit(expr->operands[0], seed);
    chosen_.pop_back();
  }

  // What a case reads may not be read where it does not hold, so the cases are around all of it.
  Expr within_cases(Expr factor) const {
    const Expr zero = Expr::constant(factor.type(), 0);
    for (size_t i = chosen_.size(); i-- > 0;) {
      std::vector<Expr::Case> cases;
      for (const Guard& guard : chosen_[i].before) cases.push_back({guard, zero});
      if (chosen_[i].here) {
        cases.push_back({*chosen_[i].here, factor});
        factor = Expr::cases(std::move(cases), zero);
      } else if (!cases.empty()) {
        factor = Expr::cases(std::move(cases), factor);
      }
    }
    return factor;
  }

  std::vector<Partial>& out_;
  std::vector<Chosen> chosen_;
};

}  // namespace

std::vector<Partial> partials(const Expr& expr, const Expr& seed) {
  std::vector<Partial> out;
  Walk(out).visit(expr, seed);
  return out;
}

}  // namespace burin
