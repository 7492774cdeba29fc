#include "fuse/algebra/row_invariants.h"

#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/let_uses.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

class RowInvariants {
 public:
  explicit RowInvariants(const Kernel& kernel) : kernel_(kernel) {}

  bool run(Kernel& out) {
    if (!is_row_kernel()) return false;
    for (const Let& let : kernel_.lets) {
      Let moved = let;
      for (Expr& one : moved.body) one = with_invariants(renumbered(one));
      numbers_.push_back(static_cast<int>(lets_.size()));
      lets_.push_back(std::move(moved));
    }
    std::vector<Write> writes = kernel_.writes;
    for (Write& write : writes) write.value = with_invariants(renumbered(write.value));
    if (lets_.size() == kernel_.lets.size()) return false;
    out.lets = std::move(lets_);
    out.writes = std::move(writes);
    return true;
  }

 private:
  bool is_row_kernel() const {
    if (kernel_.lets.empty() || is_sequential(kernel_)) return false;
    const std::vector<int>& rows = kernel_.lets[0].over;
    const bool lets = std::all_of(kernel_.lets.begin(), kernel_.lets.end(), [&](const Let& let) {
      return let.op != Combiner::none && let.body.size() == 1 && let.over == rows;
    });
    return lets && std::all_of(kernel_.writes.begin(), kernel_.writes.end(), [&](const Write& one) {
             return one.when.empty() && one.over.size() > rows.size() &&
                    std::all_of(rows.begin(), rows.end(),
                                [&](int axis) { return contains(one.over, axis); });
           });
  }

  Expr renumbered(const Expr& expr) const {
    return rewrite(
        expr,
        [&](const Expr& one) -> Expr {
          if (one.kind() != ExprKind::let) return one;
          return Expr::let(numbers_[at(one->id)], one.type(), one->at, one->component);
        },
        [](const Index& index) { return index; });
  }

  // Whether it is a number of the row that takes arithmetic.
  bool is_invariant(const Expr& expr) const {
    if (expr.type() != Type::f32 ||
        (expr.kind() != ExprKind::unary && expr.kind() != ExprKind::binary) ||
        lets_in(expr).empty())
      return false;
    const std::vector<int> axes = axes_of(expr);
    return std::all_of(axes.begin(), axes.end(),
                       [&](int axis) { return contains(kernel_.lets[0].over, axis); });
  }
  void collect(const Expr& expr, std::set<Expr>& found) const {
    if (is_invariant(expr)) {
      found.insert(expr);
      return;
    }
    for (const Expr& one : expr->operands) collect(one, found);
  }

  // The largest first: what else has a part of one in it is no part of another.
  Expr with_invariants(Expr expr) {
    std::set<Expr> found;
    collect(expr, found);
    std::vector<std::pair<int, Expr>> parts;
    for (const Expr& part : found) {
      int nodes = 0;
      visit(part, [&](const ExprNode&) { --nodes; });
      parts.emplace_back(nodes, part);
    }
    std::sort(parts.begin(), parts.end());
    for (const std::pair<int, Expr>& counted : parts) {
      const Expr& part = counted.second;  // clang captures no structured binding
      const Expr value = let_of(part);
      expr = rewrite(
          expr, [&](const Expr& one) -> Expr { return one == part ? value : one; },
          [](const Index& index) { return index; });
    }
    return expr;
  }
  Expr let_of(const Expr& part) {
    const std::vector<int>& rows = kernel_.lets[0].over;
    std::vector<Index> place;
    for (const int axis : rows) place.push_back(Index::axis(axis, kernel_.axes[at(axis)].extent));
    const auto known = std::find_if(lets_.begin(), lets_.end(), [&](const Let& let) {
      return let.op == Combiner::none && let.body[0] == part;
    });
    const int number = static_cast<int>(known - lets_.begin());
    if (known == lets_.end()) {
      Let let;
      let.over = rows;
      let.body = {part};
      let.accumulator = {Type::f32};
      lets_.push_back(std::move(let));
    }
    return Expr::let(number, Type::f32, place, 0);
  }

  const Kernel& kernel_;
  std::vector<Let> lets_;
  std::vector<int> numbers_;  // of the kernel's own lets
};

}  // namespace

KernelGraph with_row_invariants(KernelGraph graph) {
  for_each_kernel(graph.steps, [](Kernel& kernel) {
    Kernel out = kernel;
    if (RowInvariants(kernel).run(out)) kernel = std::move(out);
  });
  return graph;
}

}  // namespace burin
