// ThresholdedRelu: y = x where x > alpha, 0 elsewhere; alpha is 1 unless given. Since opset 10.
#include "ops/api/math/elementwise.h"

namespace burin::thresholded_relu_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1.0);
  map_unary(op, [&](const Expr& x) {
    const Expr above = compare(Binary::gt, x, Expr::constant(x.type(), alpha));
    return Expr::select(above, x, Expr::constant(x.type(), 0));
  });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("ThresholdedRelu", types::floats, lower, 10);
  def.attributes.insert(def.attributes.end(), {{"alpha", AttributeKind::real}});
  return def;
}

}  // namespace burin::thresholded_relu_op
