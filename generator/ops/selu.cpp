// Selu: y = gamma * x where x > 0, gamma * alpha * (exp(x) - 1) elsewhere. Until opset 6 the
// defaults had fewer digits.
#include "ops/api/math/elementwise.h"

namespace burin::selu_op {
namespace {

void lower(OpContext& op) {
  const bool short_digits = op.version() < 6;
  const double alpha = op.real("alpha", short_digits ? 1.6732f : 1.67326319217681884765625f);
  const double gamma = op.real("gamma", short_digits ? 1.0507f : 1.05070102214813232421875f);
  map_unary(op, [&](const Expr& x) {
    const Expr positive = compare(Binary::gt, x, Expr::constant(x.type(), 0));
    return Expr::select(positive, x, Expr::unary(Unary::expm1, x) * alpha) * gamma;
  });
}

}  // namespace

OpDef definition() {
  OpDef def = overwriting(unary_op("Selu", types::floats, lower, 1));
  def.attributes.insert(def.attributes.end(),
                        {{"alpha", AttributeKind::real}, {"gamma", AttributeKind::real}});
  return def;
}

}  // namespace burin::selu_op
