// Affine: alpha * x + beta. Retired before opset 9; exporters of that time wrote it.
#include "ops/api/math/elementwise.h"

namespace burin::affine_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1), beta = op.real("beta", 0);
  map_unary(op, [&](const Expr& x) { return x * alpha + beta; });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("Affine", types::floats, lower);
  def.attributes = {{"alpha", AttributeKind::real}, {"beta", AttributeKind::real}};
  return def;
}

}  // namespace burin::affine_op
