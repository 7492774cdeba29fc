// Celu: y = max(0, x) + min(0, alpha * (exp(x / alpha) - 1)); alpha is 1 unless given. Since opset
// 12.
#include "ops/api/math/elementwise.h"
#include "support/diagnostics.h"

namespace burin::celu_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1.0);
  if (alpha == 0) refuse("bad-attribute", "alpha is 0; the operator divides by it");
  map_unary(op, [&](const Expr& x) {
    const Expr zero = Expr::constant(x.type(), 0);
    return max(zero, x) + min(zero, Expr::unary(Unary::expm1, x / alpha) * alpha);
  });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("Celu", types::floats, lower, 12);
  def.attributes.insert(def.attributes.end(), {{"alpha", AttributeKind::real}});
  return def;
}

}  // namespace burin::celu_op
