#include "ops/api/math/fused.h"

#include "ops/api/math/sums_of_products.h"

namespace burin {

OpDef ms_op(OpDef def) {
  def.domain = "com.microsoft";
  def.since = def.until = 1;
  return def;
}

Expr gelu(const Expr& x) {
  return x * 0.5 * (Expr::unary(Unary::erf, x * 0.70710678118654752440) + 1.0);
}

Expr gelu_tanh(const Expr& x) {
  const Expr inner = (x + x * x * x * 0.044715) * 0.79788456080286535588;
  return x * 0.5 * (Expr::unary(Unary::tanh, inner) + 1.0);
}

void map_with_bias(OpContext& op, int bias, const std::function<Expr(const Expr&)>& f) {
  const Operand x = op.input(0);
  if (op.has_input(bias)) require_broadcastable(op, op.input(bias).shape(), x.shape(), "bias");
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr element = x.at(at);
    if (!op.has_input(bias)) return f(element);
    return f(element + in_type(x.compute(), op.input(bias).broadcast_at(at)));
  });
}

std::optional<Activation> fused_activation(const OpContext& op) {
  const std::string name = op.text("activation", "");
  if (name.empty()) return std::nullopt;
  Activation activation = activation_of(name);
  const std::vector<double> params = op.reals("activation_params", {});
  activation.alpha = params.empty() ? op.real("activation_alpha", activation.alpha) : params[0];
  activation.beta = params.size() < 2 ? op.real("activation_beta", activation.beta) : params[1];
  return activation;
}

std::vector<AttributeDef> fused_activation_attributes() {
  return {{"activation", AttributeKind::text},
          {"activation_params", AttributeKind::reals},
          {"activation_alpha", AttributeKind::real},
          {"activation_beta", AttributeKind::real},
          {"activation_gamma", AttributeKind::real}};
}

}  // namespace burin
