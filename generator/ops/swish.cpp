// Swish: x * sigmoid(alpha * x). Since opset 24.
#include "ops/api/math/activation.h"
#include "ops/api/math/elementwise.h"

namespace burin::swish_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1);
  map_unary(op, [&](const Expr& x) { return x * sigmoid(x * alpha); });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("Swish", types::floats, lower, 24);
  def.attributes = {{"alpha", AttributeKind::real}};
  return def;
}

}  // namespace burin::swish_op
