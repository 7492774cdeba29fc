// HardSigmoid: y = max(0, min(1, alpha * x + beta)), alpha 0.2 and beta 0.5 unless given.
#include "ops/api/math/elementwise.h"

namespace burin::hard_sigmoid_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 0.2f), beta = op.real("beta", 0.5);
  map_unary(op, [&](const Expr& x) {
    const Expr zero = Expr::constant(x.type(), 0), one = Expr::constant(x.type(), 1);
    return max(zero, min(one, x * alpha + beta));
  });
}

}  // namespace

OpDef definition() {
  OpDef def = overwriting(unary_op("HardSigmoid", types::floats, lower, 1));
  def.attributes.insert(def.attributes.end(),
                        {{"alpha", AttributeKind::real}, {"beta", AttributeKind::real}});
  return def;
}

}  // namespace burin::hard_sigmoid_op
