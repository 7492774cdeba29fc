#include "fuse/access/opaque.h"

namespace burin {
namespace {

// An index alone would be taken for itself again; "or 0" is nothing to a compiler.
Index opaque(const Index& index) {
  if (index.kind() == IndexKind::axis || !index.has_axes() || !index.range().bounded())
    return index;
  const Expr number = Expr::index(index);
  const Expr hidden = Expr::binary(Binary::bit_or, number, Expr::constant(number.type(), 0));
  return Index::data(hidden.ptr(), index.range());
}

}  // namespace

Kernel with_opaque_points(const Kernel& kernel, ValueId from) {
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load || expr->id != from) return expr;
    std::vector<Index> at;
    for (const Index& index : expr->at) at.push_back(opaque(index));
    return Expr::load(expr->id, expr->storage, std::move(at));
  };
  const auto same = [](const Index& leaf) { return leaf; };
  Kernel out = kernel;
  for (Let& let : out.lets) {
    for (Expr& body : let.body) body = rewrite(body, on_expr, same);
  }
  for (Write& write : out.writes) write.value = rewrite(write.value, on_expr, same);
  return out;
}

}  // namespace burin
