#include "loops/transforms/peel.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "loops/walk.h"

namespace burin::loops {
namespace {

using Conditions = std::vector<Condition>;

bool contains(const Conditions& all, const Condition& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// The loops inside that run over all points of a variable, and every other variable set there.
struct Inner {
  std::map<int, int64_t> whole;  // points
  std::vector<int> others;
};

Inner inner_of(const Program& program, const Stmts& body) {
  Inner out;
  for_each(body, [&](const Stmt& stmt) {
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      const Dim& extent = program.vars[static_cast<size_t>(loop->var)].extent;
      const bool whole = loop->begin.is_constant(0) && loop->end == extent && extent.is_constant();
      if (whole) {
        out.whole[loop->var] = extent.constant();
      } else {
        out.others.push_back(loop->var);
      }
    } else if (const auto* let = std::get_if<Let>(&stmt.node)) {
      out.others.push_back(let->var);
    }
  });
  return out;
}

bool uses_any(const Index& index, const std::vector<int>& vars) {
  return std::any_of(vars.begin(), vars.end(), [&](int var) { return index.uses_axis(var); });
}

// index = times * var + rest, where rest is largest and least over the loops inside.
struct Along {
  int64_t times = 0;
  Index least, largest;
};

std::optional<Along> along(const Index& index, int var, const Inner& inner) {
  Along out;
  out.least = out.largest = index.constant_term();
  for (const Index::Term& term : index.terms()) {
    Index product = term.coefficient;
    for (const Index& atom : term.atoms) product = product * atom;
    const bool plain = term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis;
    if (plain && term.atoms[0].axis_id() == var) {
      out.times = term.coefficient;
    } else if (plain && inner.whole.contains(term.atoms[0].axis_id())) {
      const int64_t last = (inner.whole.at(term.atoms[0].axis_id()) - 1) * term.coefficient;
      out.least = out.least + std::min<int64_t>(0, last);
      out.largest = out.largest + std::max<int64_t>(0, last);
    } else if (product.uses_axis(var) || uses_any(product, inner.others) || product.has_data() ||
               std::any_of(inner.whole.begin(), inner.whole.end(),
                           [&](const auto& one) { return product.uses_axis(one.first); })) {
      return std::nullopt;
    } else {
      out.least = out.least + product;
      out.largest = out.largest + product;
    }
  }
  return out;
}

// Conditions that hold are dropped; a case under one that fails goes.
Stmts decided(const Stmts& body, const Conditions& hold, const Conditions& fail) {
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::cases) return expr;
    std::vector<Expr::Case> cases;
    for (const Expr::Case& one : expr->cases) {
      const bool fails = std::any_of(one.guard.begin(), one.guard.end(),
                                     [&](const Condition& c) { return contains(fail, c); });
      if (fails) continue;
      Expr::Case left{{}, one.value};
      for (const Condition& condition : one.guard) {
        if (!contains(hold, condition)) left.guard.push_back(condition);
      }
      if (left.guard.empty()) return cases.empty() ? left.value : Expr::cases(cases, left.value);
      cases.push_back(std::move(left));
    }
    return cases.empty() ? expr->operands[0] : Expr::cases(cases, expr->operands[0]);
  };
  const auto same = [](const Index& index) { return index; };
  return rewrite(body, [&](Stmt stmt) {
    return Stmts{map(std::move(stmt), same,
                     [&](const Expr& expr) { return burin::rewrite(expr, on_expr, same); })};
  });
}

// Whether a bound of a condition is known inside of the loop only.
bool moves_inside(const Index& bound, int var, const Inner& inner) {
  return bound.uses_axis(var) || bound.has_data() || uses_any(bound, inner.others) ||
         std::any_of(inner.whole.begin(), inner.whole.end(),
                     [&](const auto& one) { return bound.uses_axis(one.first); });
}

void each_case(const Stmts& body, const std::function<void(const Expr::Case&)>& visit_one) {
  for_each(body, [&](const Stmt& stmt) {
    for_each_expr(stmt, [&](const Expr& whole) {
      visit(whole, [&](const ExprNode& node) {
        for (const Expr::Case& one : node.cases) visit_one(one);
      });
    });
  });
}

// Whether every case asks for all of the conditions or for none.
bool stand_together(const Stmts& body, const Conditions& conditions) {
  bool together = true;
  each_case(body, [&](const Expr::Case& one) {
    const auto count = static_cast<size_t>(
        std::count_if(one.guard.begin(), one.guard.end(),
                      [&](const Condition& c) { return contains(conditions, c); }));
    together = together && (count == 0 || count == conditions.size());
  });
  return together;
}

}  // namespace

Change peel(const Program& program, int var) {
  Change out{program, "peel " + var_text(var), {}};
  const For* loop = find_loop(program, var);
  if (!loop || loop->step != 1) {
    out.refusal = "there is not one loop of " + var_text(var) + " by one";
    return out;
  }
  const Inner inner = inner_of(program, loop->body);
  Conditions in_front, moving;
  Index first = loop->begin, last = loop->end;
  const auto on_condition = [&](const Condition& condition) {
    if (contains(in_front, condition) || contains(moving, condition)) return;
    const std::optional<Along> at = along(condition.index, var, inner);
    if (!at || moves_inside(condition.lo, var, inner) || moves_inside(condition.hi, var, inner))
      return;
    if (at->times == 0) {
      // Nothing of it may move inside.
      if (at->least == at->largest) in_front.push_back(condition);
      return;
    }
    if (at->times < 0) return;
    moving.push_back(condition);
    first = max(first, ceildiv(condition.lo - at->least, at->times));
    last = min(last, ceildiv(condition.hi - at->largest, at->times));
  };
  each_case(loop->body, [&](const Expr::Case& one) {
    for (const Condition& condition : one.guard) on_condition(condition);
  });
  if (in_front.empty() && moving.empty()) {
    out.refusal = "no guard inside of " + var_text(var) + " is decided by it";
    return out;
  }
  const auto part = [&](const Index& begin, const Index& end, Stmts body) {
    For one = *loop;
    one.begin = begin;
    one.end = end;
    one.body = std::move(body);
    return Stmt{std::move(one)};
  };
  Stmts inside;
  if (moving.empty()) {
    inside = {part(loop->begin, loop->end, decided(loop->body, in_front, {}))};
  } else {
    // Where the middle is empty the margins still meet.
    const Index from = min(first, loop->end), to = max(from, last);
    const Stmts margin = decided(loop->body, in_front, {});
    inside = {part(loop->begin, from, margin), part(from, to, decided(margin, moving, {})),
              part(to, loop->end, margin)};
  }
  if (in_front.empty()) {
    out.program = with_loop(program, var, inside);
  } else {
    // Where all of them fail or hold together, the loop behind them has none of these cases left.
    const Stmts otherwise =
        stand_together(loop->body, in_front)
            ? Stmts{part(loop->begin, loop->end, decided(loop->body, {}, in_front))}
            : Stmts{Stmt{*loop}};
    const Stmts stmts{Stmt{If{in_front, std::move(inside), otherwise}}};
    out.program = with_loop(program, var, stmts);
  }
  return out;
}

}  // namespace burin::loops
