// com.microsoft QLinearWhere: the element of X where the condition holds, that of Y elsewhere, each
// by its own scale and zero point; all three broadcast.
#include "ops/api/math/fused.h"
#include "ops/api/movement/stretch.h"
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantized_math.h"
#include "support/diagnostics.h"

namespace burin::ms_q_linear_where_op {
namespace {

void lower(OpContext& op) {
  const Operand condition = op.input(0), x = op.input(1), y = op.input(4);
  if (x.type() != y.type()) refuse("type-mismatch", "X and Y must have one type");
  const QuantizedBy by_x = quantized_by(op, 2), by_y = quantized_by(op, 5),
                    to = quantized_by(op, 7);
  const Operand z =
      op.output(0, x.type(), broadcast(op, {condition.shape(), x.shape(), y.shape()}));
  op.map(z, [&](const Indices& at) {
    return Expr::select(stretched_at(condition, at),
                        to.quantize(by_x.dequantize(stretched_at(x, at)), z.type()),
                        to.quantize(by_y.dequantize(stretched_at(y, at)), z.type()));
  });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "QLinearWhere",
                .inputs = {{"condition", types::boolean},
                           {"X", types::quantized8},
                           {"x_scale", types::f32},
                           {"x_zero_point", types::quantized8},
                           {"Y", types::quantized8},
                           {"y_scale", types::f32},
                           {"y_zero_point", types::quantized8},
                           {"z_scale", types::f32},
                           {"z_zero_point", types::quantized8}},
                .outputs = {{"Z"}},
                .lower = lower});
}

}  // namespace burin::ms_q_linear_where_op
