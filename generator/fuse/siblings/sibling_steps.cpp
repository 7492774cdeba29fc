#include "fuse/siblings/sibling_steps.h"

#include <algorithm>

#include "kernel/let_uses.h"

namespace burin {
namespace {

constexpr size_t kMostSteps = 8;

using OneStep = SiblingSteps::Step;

bool changes_nothing_with_a_number(Binary op) {
  return op == Binary::add || op == Binary::sub || op == Binary::mul || op == Binary::div;
}

// x + -0 is x for both zeros, x + 0 is not.
Expr neutral(Binary op, Type type) {
  if (op == Binary::mul || op == Binary::div) return Expr::constant(type, 1);
  return op == Binary::add && is_float(type) ? Expr::constant(type, -0.0) : Expr::constant(type, 0);
}

// The steps on top of an expression, the innermost first, and what is below them.
Expr peeled(Expr expr, std::vector<OneStep>& steps) {
  while (expr.kind() == ExprKind::binary && changes_nothing_with_a_number(expr->binary())) {
    const bool first = !lets_in(expr->operands[0]).empty();
    if (first == !lets_in(expr->operands[1]).empty()) break;
    const Binary op = expr->binary();
    if (!first && (op == Binary::sub || op == Binary::div)) break;
    steps.push_back({op, first, {expr->operands[first ? 1 : 0]}});
    expr = expr->operands[first ? 0 : 1];
  }
  std::reverse(steps.begin(), steps.end());
  return expr;
}

// For each pair of ends of two lists: how many steps they have in common.
std::vector<std::vector<size_t>> common_ends(const std::vector<OneStep>& a,
                                             const std::vector<OneStep>& b) {
  std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i].op == b[j].op ? common[i + 1][j + 1] + 1
                                        : std::max(common[i + 1][j], common[i][j + 1]);
  }
  return common;
}

// The shortest list that has the steps of all members so far and those of one more, in order.
std::vector<OneStep> merged(const std::vector<OneStep>& all, const std::vector<OneStep>& one,
                            size_t members, Type type) {
  const std::vector<std::vector<size_t>> common = common_ends(all, one);
  std::vector<OneStep> out;
  for (size_t i = 0, j = 0; i < all.size() || j < one.size();) {
    const bool both = i < all.size() && j < one.size() && all[i].op == one[j].op;
    if (both || j == one.size() || (i < all.size() && common[i + 1][j] >= common[i][j + 1])) {
      out.push_back(all[i++]);
      out.back().operands.push_back(both ? one[j++].operands[0] : neutral(out.back().op, type));
      continue;
    }
    out.push_back({one[j].op, one[j].sum_first, {}});
    out.back().operands.assign(members, neutral(one[j].op, type));
    out.back().operands.push_back(one[j++].operands[0]);
  }
  return out;
}

}  // namespace

SiblingSteps same_steps(const std::vector<Expr>& exprs) {
  SiblingSteps out;
  for (size_t i = 0; i < exprs.size(); ++i) {
    std::vector<OneStep> steps;
    out.inner.push_back(peeled(exprs[i], steps));
    const bool fits = steps.size() <= kMostSteps && exprs[i].type() == exprs[0].type();
    if (fits) out.steps = i == 0 ? steps : merged(out.steps, steps, i, exprs[0].type());
    if (!fits || out.steps.size() > kMostSteps) return {{}, exprs};
  }
  return out;
}

}  // namespace burin
