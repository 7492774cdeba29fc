// ParametricSoftplus: alpha * log(1 + exp(beta * x)), without overflow. Retired before opset 9;
// exporters of that time wrote it.
#include "ops/api/math/elementwise.h"

namespace burin::parametric_softplus_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1), beta = op.real("beta", 1);
  map_unary(op, [&](const Expr& given) {
    const Expr x = given * beta;
    const Expr small = Expr::unary(Unary::exp, -Expr::unary(Unary::abs, x));
    const Expr larger = max(x, Expr::constant(x.type(), 0));
    return (larger + Expr::unary(Unary::log1p, small)) * alpha;
  });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("ParametricSoftplus", types::floats, lower);
  def.attributes = {{"alpha", AttributeKind::real}, {"beta", AttributeKind::real}};
  return def;
}

}  // namespace burin::parametric_softplus_op
