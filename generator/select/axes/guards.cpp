#include "select/axes/guards.h"

#include <algorithm>

#include "kernel/combiner.h"
#include "support/check.h"

namespace burin {

std::optional<Bounds> bounds_of(const Condition& condition, int axis) {
  if (condition.lo.uses_axis(axis) || condition.hi.uses_axis(axis)) return std::nullopt;
  int64_t k = 0;
  Index rest = condition.index;
  for (const Index::Term& term : condition.index.terms()) {
    const bool alone = term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis &&
                       term.atoms[0].axis_id() == axis;
    if (alone) {
      k = term.coefficient;
      rest -= term.atoms[0] * k;
    }
  }
  if (k == 0 || rest.uses_axis(axis) || rest.has_data()) return std::nullopt;
  if (k > 0) return Bounds{ceildiv(condition.lo - rest, k), ceildiv(condition.hi - rest, k)};
  // lo <= rest - m*axis < hi  <=>  (rest - hi)/m < axis <= (rest - lo)/m
  return Bounds{floordiv(rest - condition.hi, -k) + 1, floordiv(rest - condition.lo, -k) + 1};
}

namespace {

bool is_zero(const Expr& expr) { return expr.is_constant(0); }

}  // namespace

Guarded strip_guard(Combiner op, const Expr& body) {
  if (body.kind() == ExprKind::cases && body->cases.size() == 1 &&
      body->operands[0] == identity_of(op, body.type())) {
    return {body->cases[0].guard, body->cases[0].value};
  }
  // Zero times anything adds nothing: padding never meets an infinite weight in a network that
  // works.
  if (op == Combiner::sum && body.kind() == ExprKind::binary && body->binary() == Binary::mul) {
    Guarded all;
    std::vector<Expr> factors;
    for (const Expr& operand : body->operands) {
      if (operand.kind() == ExprKind::cases && operand->cases.size() == 1 &&
          is_zero(operand->operands[0])) {
        all.guard.insert(all.guard.end(), operand->cases[0].guard.begin(),
                         operand->cases[0].guard.end());
        factors.push_back(operand->cases[0].value);
      } else {
        factors.push_back(operand);
      }
    }
    all.value = factors[0] * factors[1];
    return all;
  }
  return {{}, body};
}

Expr assume(const Expr& expr, const Condition& condition, bool holds) {
  return rewrite(
      expr,
      [&](const Expr& node) -> Expr {
        if (node.kind() != ExprKind::cases) return node;
        std::vector<Expr::Case> kept;
        Expr otherwise = node->operands[0];
        for (const Expr::Case& one : node->cases) {
          const auto at = std::find(one.guard.begin(), one.guard.end(), condition);
          if (at == one.guard.end()) {
            kept.push_back(one);
          } else if (holds) {
            Expr::Case left = one;
            left.guard.erase(left.guard.begin() + (at - one.guard.begin()));
            kept.push_back(std::move(left));
          }
        }
        return Expr::cases(std::move(kept), otherwise);
      },
      [](const Index& leaf) { return leaf; });
}

std::vector<Condition> conditions_of(const Expr& expr) {
  std::vector<Condition> out;
  visit(expr, [&](const ExprNode& node) {
    for (const Expr::Case& one : node.cases) {
      for (const Condition& condition : one.guard) {
        if (std::find(out.begin(), out.end(), condition) == out.end()) out.push_back(condition);
      }
    }
  });
  return out;
}

}  // namespace burin
