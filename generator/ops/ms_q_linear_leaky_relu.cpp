// com.microsoft QLinearLeakyRelu: x, or alpha * x where x is negative, quantised.
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_leaky_relu_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 0.01);
  map_quantized_unary(op, [&](const Expr& x) {
    const Expr negative = compare(Binary::lt, x, Expr::constant(x.type(), 0));
    return Expr::select(negative, x * alpha, x);
  });
}

}  // namespace

OpDef definition() {
  OpDef def = quantized_unary_op("QLinearLeakyRelu", lower);
  def.attributes = {{"alpha", AttributeKind::real}};
  return def;
}

}  // namespace burin::ms_q_linear_leaky_relu_op
