// ScaledTanh: alpha * tanh(beta * x). Retired before opset 9; exporters of that time wrote it.
#include "ops/api/math/elementwise.h"

namespace burin::scaled_tanh_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1), beta = op.real("beta", 1);
  map_unary(op, [&](const Expr& x) { return Expr::unary(Unary::tanh, x * beta) * alpha; });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("ScaledTanh", types::floats, lower, 1, "input", "output");
  def.attributes = {{"alpha", AttributeKind::real}, {"beta", AttributeKind::real}};
  return def;
}

}  // namespace burin::scaled_tanh_op
