// LeakyRelu: y = x where x >= 0, alpha * x elsewhere; alpha is 0.01 unless given.
#include "ops/api/math/elementwise.h"

namespace burin::leaky_relu_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 0.01f);
  map_unary(op, [&](const Expr& x) {
    const Expr negative = compare(Binary::lt, x, Expr::constant(x.type(), 0));
    return Expr::select(negative, x * alpha, x);
  });
}

}  // namespace

OpDef definition() {
  OpDef def = overwriting(unary_op("LeakyRelu", types::floats, lower, 1));
  def.attributes.insert(def.attributes.end(), {{"alpha", AttributeKind::real}});
  return def;
}

}  // namespace burin::leaky_relu_op
