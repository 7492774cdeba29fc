#include "fuse/algebra/empty_terms.h"

#include <algorithm>
#include <optional>

#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

bool reads_constants_only(const Expr& factor, const std::vector<Value>& values) {
  bool constant = true;
  visit(factor, [&](const ExprNode& node) {
    constant = constant && node.kind != ExprKind::let &&
               (node.kind != ExprKind::load || values[at(node.id)].kind == ValueKind::constant);
  });
  return constant;
}

// The conditions under which a term is not zero; none: it has no such form.
Guard conditions_of_terms(const Expr& body, const std::vector<Value>& values) {
  const auto of = [](const Expr& expr) {
    const bool zero_else = expr.kind() == ExprKind::cases && expr->cases.size() == 1 &&
                           expr->operands[0].is_constant(0);
    return zero_else ? expr->cases[0].guard : Guard{};
  };
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return of(body);
  const Expr &a = body->operands[0], &b = body->operands[1];
  Guard out = reads_constants_only(b, values) ? of(a) : Guard{};
  const Guard other = reads_constants_only(a, values) ? of(b) : Guard{};
  out.insert(out.end(), other.begin(), other.end());
  return out;
}

// Points of an axis at which lo <= k * axis + rest < hi can hold; nullopt: nothing is known.
std::optional<Range> points_of(const Condition& one, int axis) {
  int64_t k = 0;
  Index rest = one.index;
  for (const Index::Term& term : one.index.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis ||
        term.atoms[0].axis_id() != axis)
      continue;
    k = term.coefficient;
    rest -= term.atoms[0] * k;
  }
  const Range others = rest.range(), low = one.lo.range(), high = one.hi.range();
  if (k == 0 || rest.uses_axis(axis) || rest.has_data() || !others.bounded() || !low.bounded() ||
      !high.bounded())
    return std::nullopt;
  // What is left for k * axis.
  const Index least = low.lo - others.hi, most = high.hi - 1 - others.lo;
  const Index first = k > 0 ? ceildiv(least, k) : ceildiv(-most, -k),
              last = k > 0 ? floordiv(most, k) : floordiv(-least, -k);
  return Range{first.constant(), last.constant()};
}

// Whether nothing but sum number `let` runs over an axis.
bool is_its_own(const Kernel& kernel, size_t let, int axis) {
  const auto has = [&](const std::vector<int>& axes) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    if (has(kernel.lets[i].over) || (i != let && has(kernel.lets[i].reduced))) return false;
  }
  return std::none_of(kernel.writes.begin(), kernel.writes.end(),
                      [&](const Write& write) { return has(write.over); });
}

// The kernel with points [first, last] of an axis; none, where that is one point.
Kernel with_points(const Kernel& given, int axis, int64_t first, int64_t last) {
  Kernel out = given;
  const bool gone = first == last;
  std::vector<Index> point;
  std::vector<int> renamed;
  for (size_t k = 0; k < given.axes.size(); ++k) {
    const int id = static_cast<int>(k) - (gone && static_cast<int>(k) > axis ? 1 : 0);
    renamed.push_back(id);
    point.push_back(Index::axis(id, given.axes[k].extent));
  }
  point[at(axis)] = gone ? Index(first) : Index::axis(axis, last - first + 1) + first;
  if (gone)
    out.axes.erase(out.axes.begin() + axis);
  else
    out.axes[at(axis)].extent = last - first + 1;
  const auto rename = [&](std::vector<int>& axes) {
    std::vector<int> kept;
    for (const int one : axes) {
      if (!gone || one != axis) kept.push_back(renamed[at(one)]);
    }
    axes = std::move(kept);
  };
  for (Let& let : out.lets) {
    rename(let.over);
    rename(let.reduced);
    for (Expr& body : let.body) body = substitute_axes(body, point);
  }
  for (Write& write : out.writes) {
    rename(write.over);
    write.value = substitute_axes(write.value, point);
    for (Index& index : write.at) index = index.substitute_axes(point);
    write.when = substitute_axes(write.when, point);
  }
  return out;
}

// One axis less, or a shorter one; nullopt: every axis is as short as it can be.
std::optional<Kernel> shortened(const Kernel& kernel, const std::vector<Value>& values) {
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    const Let& let = kernel.lets[i];
    if (let.op != Combiner::sum || let.body.size() != 1) continue;
    const Guard conditions = conditions_of_terms(let.body[0], values);
    for (const int axis : let.reduced) {
      const std::optional<int64_t> extent = kernel.axes[at(axis)].extent.as_constant();
      if (!extent || *extent < 2 || !is_its_own(kernel, i, axis)) continue;
      int64_t first = 0, last = *extent - 1;
      for (const Condition& one : conditions) {
        const std::optional<Range> points = points_of(one, axis);
        if (!points) continue;
        first = std::max(first, points->lo);
        last = std::min(last, points->hi);
      }
      // A sum of nothing but zeros keeps its form.
      if (first > last || (first == 0 && last == *extent - 1)) continue;
      // A sum keeps an axis.
      if (first == last && let.reduced.size() == 1) continue;
      return with_points(kernel, axis, first, last);
    }
  }
  return std::nullopt;
}

// Without conditions that hold at every point.
Expr decided(const Expr& expr) {
  return rewrite(
      expr,
      [](const Expr& one) -> Expr {
        if (one.kind() != ExprKind::cases || one->cases.size() != 1) return one;
        Guard left;
        for (const Condition& condition : one->cases[0].guard) {
          if (!proven_le(condition.lo, condition.index) ||
              !proven_lt(condition.index, condition.hi))
            left.push_back(condition);
        }
        if (left.size() == one->cases[0].guard.size()) return one;
        if (left.empty()) return one->cases[0].value;
        return Expr::cases({{std::move(left), one->cases[0].value}}, one->operands[0]);
      },
      [](const Index& leaf) { return leaf; });
}

}  // namespace

KernelGraph without_empty_terms(KernelGraph graph) {
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    bool changed = false;
    while (std::optional<Kernel> shorter = shortened(kernel, graph.values)) {
      kernel = std::move(*shorter);
      changed = true;
    }
    if (!changed) return;
    for (Let& let : kernel.lets) {
      for (Expr& body : let.body) body = decided(body);
    }
  });
  return graph;
}

}  // namespace burin
