#include "select/axes/invariant_motion.h"

#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"
#include "kernel/let_uses.h"
#include "kernel/rewrite_kernel.h"

namespace burin {

// Axes that all lets and writes run over, ascending.
std::vector<int> common_axes(const Kernel& kernel) {
  std::vector<int> out = kernel.writes[0].over;
  const auto keep = [&](const std::vector<int>& over) {
    out.erase(
        std::remove_if(out.begin(), out.end(), [&](int axis) { return !contains(over, axis); }),
        out.end());
  };
  for (const Let& let : kernel.lets) keep(let.over);
  for (const Write& write : kernel.writes) keep(write.over);
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

bool is_function(const ExprNode& node) {
  return node.kind == ExprKind::unary && node.unary() >= Unary::sqrt && node.unary() <= Unary::erf;
}

bool is_dear(const Expr& expr) {
  bool dear = false;
  visit(expr, [&](const ExprNode& node) {
    const bool quotient = node.kind == ExprKind::binary && node.binary() == Binary::div;
    dear = dear || quotient || is_function(node);
  });
  return dear;
}

// The largest part of the expression that knows of lets and of these axes alone, and is dear.
Expr value_of_row(const Expr& expr, const std::vector<int>& common) {
  if (expr.kind() == ExprKind::cases || !is_float(expr.type())) return {};
  const std::vector<int> axes = axes_of(expr);
  const bool known =
      std::all_of(axes.begin(), axes.end(), [&](int axis) { return contains(common, axis); });
  if (known && !lets_in(expr).empty() && is_dear(expr)) return expr;
  for (const Expr& operand : expr->operands) {
    if (Expr found = value_of_row(operand, common)) return found;
  }
  return {};
}

// A let over these axes that holds `value`, behind the lets that it is made of; what was spelt so
// reads it.
void add_let(Kernel& kernel, const Expr& value, const std::vector<int>& over) {
  const std::set<int> lets = lets_in(value);
  const int fresh = static_cast<int>(kernel.lets.size()),
            place = lets.empty() ? 0 : *lets.rbegin() + 1;
  std::vector<Index> at;
  for (const int axis : over)
    at.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  const Expr let = Expr::let(fresh, value.type(), at);
  rewrite_exprs(kernel, [&](const Expr& expr) { return expr == value ? let : expr; });
  rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let || expr->id < place) return expr;
    return Expr::let(expr->id == fresh ? place : expr->id + 1, expr.type(), expr->at,
                     expr->component);
  });
  Let one;
  one.over = over;
  one.body = {value};
  one.accumulator = {value.type()};
  kernel.lets.insert(kernel.lets.begin() + place, std::move(one));
}

bool has(const Expr& expr, const Expr& part) {
  return expr == part || std::any_of(expr->operands.begin(), expr->operands.end(),
                                     [&](const Expr& one) { return has(one, part); });
}

// A function of an element in `expr` that something else of the kernel needs, too.
Expr shared_function(const Expr& expr, const Kernel& kernel, const std::vector<int>& common) {
  if (expr.kind() == ExprKind::cases) return {};
  const std::vector<int> axes = axes_of(expr);
  const bool of_element =
      std::any_of(axes.begin(), axes.end(), [&](int axis) { return !contains(common, axis); });
  if (is_function(*expr) && is_float(expr.type()) && of_element) {
    int places = 0;
    for (const Let& let : kernel.lets) places += has(let.body[0], expr);
    for (const Write& write : kernel.writes) places += has(write.value, expr);
    if (places > 1) return expr;
  }
  for (const Expr& operand : expr->operands) {
    if (Expr found = shared_function(operand, kernel, common)) return found;
  }
  return {};
}

}  // namespace

Kernel with_lets_at_points(const Kernel& given, int axis) {
  Kernel kernel = given;
  const auto place = [&](const Let& let) {
    return std::lower_bound(let.over.begin(), let.over.end(), axis) - let.over.begin();
  };
  const Index point = Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
  rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let) return expr;
    const Let& let = given.lets[static_cast<size_t>(expr->id)];
    if (contains(let.over, axis)) return expr;
    std::vector<Index> at = expr->at;
    at.insert(at.begin() + place(let), point);
    return Expr::let(expr->id, expr.type(), std::move(at), expr->component);
  });
  for (Let& let : kernel.lets) {
    if (!contains(let.over, axis)) let.over.insert(let.over.begin() + place(let), axis);
  }
  return kernel;
}

Kernel with_row_invariants_moved(const Kernel& given) {
  Kernel kernel = given;
  const std::vector<int> common = common_axes(kernel);
  const auto find = [&]() -> Expr {
    for (const Let& let : kernel.lets) {
      // What is a value of the row already stays it.
      if (let.op == Combiner::none && let.over == common) continue;
      for (const Expr& body : let.body) {
        if (Expr found = value_of_row(body, common)) return found;
      }
    }
    for (const Write& write : kernel.writes) {
      if (Expr found = value_of_row(write.value, common)) return found;
    }
    return {};
  };
  while (const Expr value = find()) add_let(kernel, value, common);
  return kernel;
}

Kernel with_functions_once(const Kernel& given, int64_t room) {
  Kernel kernel = given;
  const std::vector<int> common = common_axes(kernel);
  const auto find = [&]() -> Expr {
    for (const Let& let : kernel.lets) {
      if (let.op == Combiner::none) continue;
      if (Expr found = shared_function(let.body[0], kernel, common)) return found;
    }
    return {};
  };
  while (const Expr value = find()) {
    std::vector<int> over = common;
    int64_t bytes = size_bits(value.type()) / 8;
    for (const int axis : axes_of(value)) {
      if (contains(common, axis)) continue;
      over.push_back(axis);
      bytes = saturating_mul(
          bytes, std::max<int64_t>(1, at_hints(kernel.axes[static_cast<size_t>(axis)].extent)));
    }
    if (bytes > room) break;
    std::sort(over.begin(), over.end());
    add_let(kernel, value, over);
  }
  return kernel;
}

}  // namespace burin
