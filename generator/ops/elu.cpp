// Elu: y = x where x > 0, alpha * (exp(x) - 1) elsewhere; alpha is 1 unless given.
#include "ops/api/math/elementwise.h"

namespace burin::elu_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1.0);
  map_unary(op, [&](const Expr& x) {
    const Expr positive = compare(Binary::gt, x, Expr::constant(x.type(), 0));
    return Expr::select(positive, x, Expr::unary(Unary::expm1, x) * alpha);
  });
}

}  // namespace

OpDef definition() {
  OpDef def = overwriting(unary_op("Elu", types::floats, lower, 1));
  def.attributes.insert(def.attributes.end(), {{"alpha", AttributeKind::real}});
  return def;
}

}  // namespace burin::elu_op
