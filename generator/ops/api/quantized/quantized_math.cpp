#include "ops/api/quantized/quantized_math.h"

#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"
#include "support/diagnostics.h"

namespace burin {

Expr QuantizedBy::dequantize(const Expr& q) const {
  return in_type(Type::f32, centred(q, zero)) * scale;
}

Expr QuantizedBy::quantize(const Expr& real, Type to) const {
  return quantized(real / scale, zero, to);
}

Expr QuantizedBy::zero_f32() const {
  return zero ? in_type(Type::f32, zero) : Expr::constant(Type::f32, 0);
}

QuantizedBy quantized_by(OpContext& op, int scale) {
  QuantizedBy by;
  for (int i = scale; i <= scale + 1; ++i) {
    if (!op.has_input(i)) continue;
    op.require_equal(product(op.input(i).shape()), 1, "elements of a scale or zero point");
    (i == scale ? by.scale : by.zero) = op.input(i).scalar();
  }
  if (!by.scale) refuse("arity", "input " + std::to_string(scale) + ", a scale, is absent");
  return by;
}

void map_quantized_unary(OpContext& op, const std::function<Expr(const Expr&)>& f) {
  const Operand x = op.input(0);
  const QuantizedBy from = quantized_by(op, 1), to = quantized_by(op, 3);
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) { return to.quantize(f(from.dequantize(x.at(at))), x.type()); });
}

void map_quantized_binary(OpContext& op, const std::function<Expr(const QuantizedPair&)>& f) {
  const Operand a = op.input(0), b = op.input(3);
  if (a.type() != b.type()) refuse("type-mismatch", "A and B must have one type");
  const QuantizedBy by_a = quantized_by(op, 1), by_b = quantized_by(op, 4);
  const QuantizedBy to = quantized_by(op, 6);
  const Operand y = op.output(0, a.type(), broadcast(op, {a.shape(), b.shape()}));
  op.map(y, [&](const Indices& at) {
    return quantized(f({a.broadcast_at(at), b.broadcast_at(at), by_a, by_b, to}), {}, y.type());
  });
}

OpDef quantized_unary_op(std::string name, void (*lower)(OpContext&)) {
  return ms_op({.name = std::move(name),
                .inputs = {{"X", types::quantized8},
                           {"X_scale", types::f32},
                           {"X_zero_point", types::quantized8, Arity::optional},
                           {"Y_scale", types::f32},
                           {"Y_zero_point", types::quantized8, Arity::optional}},
                .outputs = {{"Y"}},
                .lower = lower});
}

OpDef quantized_binary_op(std::string name, void (*lower)(OpContext&)) {
  return ms_op({.name = std::move(name),
                .inputs = {{"A", types::quantized8},
                           {"A_scale", types::f32},
                           {"A_zero_point", types::quantized8, Arity::optional},
                           {"B", types::quantized8},
                           {"B_scale", types::f32},
                           {"B_zero_point", types::quantized8, Arity::optional},
                           {"C_scale", types::f32},
                           {"C_zero_point", types::quantized8, Arity::optional}},
                .outputs = {{"C"}},
                .lower = lower});
}

}  // namespace burin
