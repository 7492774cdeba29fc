// Common refinement of axis splits.
//
// For each axis i, the divisors c of every i // c and i % c in the kernel are collected (after
// simplification these are the only divisions a chain of reshapes leaves). Where they form a chain
// c1 | c2 | ... | extent, the axis becomes several, and all those divisions simplify away. Divisors
// that do not fit the chain are left to counters in the printed loops.
#include "kernel/split_axes.h"

#include <algorithm>

#include "support/check.h"

namespace burin {
namespace {

// Visits every floordiv and mod atom inside an index.
void visit_divisions(const Index& index, const std::function<void(const Index&)>& visit_division) {
  for (const Index::Term& term : index.terms()) {
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::floordiv || atom.kind() == IndexKind::mod) visit_division(atom);
      if (atom.kind() != IndexKind::axis) {
        for (const Index& operand : atom.operands()) visit_divisions(operand, visit_division);
      }
    }
  }
}

template <class Visit>
void visit_kernel_indices(const Kernel& kernel, const Visit& visit_index) {
  const auto on_expr = [&](const Expr& expr) { visit_distinct_indices(expr, visit_index); };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) on_expr(body);
  }
  for (const Write& write : kernel.writes) {
    for (const Index& index : write.at) {
      visit_index(index);
      visit_distinct(index, [&](const ExprNode& node) {
        for (const Index& inner : node.at) visit_index(inner);
      });
    }
    for (const Condition& condition : write.when) visit_index(condition.index);
    on_expr(write.value);
  }
}

bool divides(const Dim& divisor, const Dim& dim) {
  return !divisor.is_constant(0) && mod(dim, divisor).is_constant(0);
}

// Divisors of `axis`, each dividing the next and the extent; without 1 and the extent itself.
std::vector<Dim> chain_of(const Kernel& kernel, int axis) {
  std::vector<Dim> divisors;
  visit_kernel_indices(kernel, [&](const Index& index) {
    visit_divisions(index, [&](const Index& atom) {
      const Index& x = atom.operands()[0];
      const Dim& c = atom.operands()[1];
      if (c.has_axes() || c.has_data()) return;
      // k*i + rest with a divisor k*c splits as well as i // c does.
      for (const Index::Term& term : x.terms()) {
        if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis ||
            term.atoms[0].axis_id() != axis)
          continue;
        if (term.coefficient <= 0) continue;
        if (mod(c, term.coefficient).is_constant(0))
          divisors.push_back(floordiv(c, term.coefficient));
      }
    });
  });
  std::sort(divisors.begin(), divisors.end());
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  // Smallest first: a divisor divides those after it.
  std::stable_sort(divisors.begin(), divisors.end(), [](const Dim& a, const Dim& b) {
    return a != b &&
           (a.is_constant() && b.is_constant() ? a.constant() < b.constant() : divides(a, b));
  });
  const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
  std::vector<Dim> chain;
  for (const Dim& divisor : divisors) {
    if (divisor.is_constant(1) || divisor == extent || !divides(divisor, extent)) continue;
    if (chain.empty() || divides(chain.back(), divisor)) chain.push_back(divisor);
  }
  return chain;
}

}  // namespace

bool may_split(const Kernel& kernel, int axis) {
  if (kernel.axes[static_cast<size_t>(axis)].kind == AxisKind::sequential) return false;
  // A let that is read at another point of this axis keeps the axis whole: its scratch is indexed
  // by it.
  bool whole = true;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind != ExprKind::let) return;
    const Let& let = kernel.lets[static_cast<size_t>(node.id)];
    for (size_t k = 0; k < let.over.size(); ++k) {
      if (let.over[k] != axis) continue;
      const Index& at = node.at[k];
      if (at.kind() != IndexKind::axis || at.axis_id() != axis) whole = false;
    }
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit_distinct(body, on_node);
  }
  for (const Write& write : kernel.writes) visit_distinct(write.value, on_node);
  return whole;
}

Kernel split_axes(const Kernel& kernel) {
  std::vector<std::vector<Dim>> chains(kernel.axes.size());
  for (size_t a = 0; a < kernel.axes.size(); ++a) {
    const int axis = static_cast<int>(a);
    if (may_split(kernel, axis)) chains[a] = chain_of(kernel, axis);
  }
  return split_axes(kernel, chains);
}

Kernel split_axes(const Kernel& kernel, const std::vector<std::vector<Dim>>& chains) {
  Kernel out = kernel;
  std::vector<std::vector<int>> parts(
      kernel.axes.size());  // of each old axis: its new axes, outer first
  std::vector<Index> replacement;
  out.axes.clear();
  for (size_t a = 0; a < kernel.axes.size(); ++a) {
    const Axis& axis = kernel.axes[a];
    const std::vector<Dim>& chain = chains[a];
    Dim outer = axis.extent;
    Index index = 0;
    for (size_t k = chain.size() + 1; k-- > 0;) {
      const Dim step = k == 0 ? Dim(1) : chain[k - 1];
      // Of a step that may be 0 nothing is rounded up: (2*n + n - 1) // n is not 2 for every n.
      const Dim extent = divides(step, outer) ? floordiv(outer, step) : ceildiv(outer, step);
      const Index part = Index::axis(static_cast<int>(out.axes.size()), extent);
      if (part.kind() == IndexKind::axis) {
        parts[a].push_back(static_cast<int>(out.axes.size()));
        out.axes.push_back(
            {extent, axis.kind,
             axis.name.empty() || chain.empty() ? axis.name : axis.name + std::to_string(k)});
      }
      index += part * step;
      outer = step;
    }
    replacement.push_back(index);
  }

  const auto new_axes = [&](const std::vector<int>& old) {
    std::vector<int> axes;
    for (const int axis : old) {
      axes.insert(axes.end(), parts[static_cast<size_t>(axis)].begin(),
                  parts[static_cast<size_t>(axis)].end());
    }
    return axes;
  };
  // A reference names the axes of its let one by one: they are split like the let's own.
  const auto fix_lets = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let) return expr;
    const Let& let = kernel.lets[static_cast<size_t>(expr->id)];
    std::vector<Index> at;
    for (size_t k = 0; k < let.over.size(); ++k) {
      const std::vector<int>& split = parts[static_cast<size_t>(let.over[k])];
      if (split.size() == 1 && out.axes[static_cast<size_t>(split[0])].extent ==
                                   kernel.axes[static_cast<size_t>(let.over[k])].extent) {
        at.push_back(expr->at[k]);
        continue;
      }
      for (const int axis : split)
        at.push_back(Index::axis(axis, out.axes[static_cast<size_t>(axis)].extent));
    }
    return Expr::let(expr->id, expr.type(), std::move(at), expr->component);
  };
  const auto on_leaf = [&](const Index& leaf) -> Index {
    return leaf.kind() == IndexKind::axis ? replacement[static_cast<size_t>(leaf.axis_id())] : leaf;
  };
  for (Let& let : out.lets) {
    let.over = new_axes(let.over);
    let.reduced = new_axes(let.reduced);
    for (Expr& body : let.body) body = rewrite(body, fix_lets, on_leaf);
  }
  for (Write& write : out.writes) {
    write.over = new_axes(write.over);
    for (Index& index : write.at) index = rewrite(index, fix_lets, on_leaf);
    for (Condition& condition : write.when)
      condition.index = rewrite(condition.index, fix_lets, on_leaf);
    write.value = rewrite(write.value, fix_lets, on_leaf);
  }
  return out;
}

}  // namespace burin
