#include "fuse/access/written_out.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"

namespace burin {
namespace {

std::optional<Expr> combined(Combiner op, const Expr& a, const Expr& b) {
  switch (op) {
    case Combiner::sum:
      return a + b;
    case Combiner::product:
      return a * b;
    case Combiner::min:
      return min(a, b);
    case Combiner::max:
      return max(a, b);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Kernel> written_out(const Kernel& kernel) {
  if (kernel.lets.size() != 1 || kernel.lets[0].body.size() != 1) return std::nullopt;
  const Let& let = kernel.lets[0];
  if (let.body[0].type() != let.accumulator[0] || let.reduced.size() != 1) return std::nullopt;
  const int reduced = let.reduced[0];
  const std::optional<int64_t> points =
      kernel.axes[static_cast<size_t>(reduced)].extent.as_constant();
  if (!points || *points < 1 || *points > kMostWrittenOut) return std::nullopt;
  Kernel out = kernel;
  out.lets.clear();
  out.axes.erase(out.axes.begin() + reduced);
  std::vector<Index> own, moved;  // the let's axes as they are; the axes without the reduced one
  for (size_t a = 0; a < kernel.axes.size(); ++a) {
    const int axis = static_cast<int>(a);
    own.push_back(Index::axis(axis, kernel.axes[a].extent));
    moved.push_back(axis == reduced ? Index(0)
                                    : Index::axis(axis - (axis > reduced), kernel.axes[a].extent));
  }
  std::optional<Expr> all;
  for (int64_t k = 0; k < *points; ++k) {
    std::vector<Index> at = own;
    at[static_cast<size_t>(reduced)] = k;
    const Expr one = substitute_axes(let.body[0], at);
    all = all ? combined(let.op, *all, one) : one;
    if (!all) return std::nullopt;
  }
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let) return expr;
    std::vector<Index> at = own;
    for (size_t k = 0; k < let.over.size(); ++k) at[static_cast<size_t>(let.over[k])] = expr->at[k];
    return substitute_axes(*all, at);
  };
  for (Write& write : out.writes) {
    const bool uses = std::find(write.over.begin(), write.over.end(), reduced) != write.over.end();
    if (uses || !write.when.empty()) return std::nullopt;
    write.value = substitute_axes(
        rewrite(write.value, on_expr, [](const Index& leaf) { return leaf; }), moved);
    for (Index& index : write.at) index = index.substitute_axes(moved);
    for (int& axis : write.over) axis -= axis > reduced;
  }
  return out;
}

}  // namespace burin
