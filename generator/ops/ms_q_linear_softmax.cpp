// com.microsoft QLinearSoftmax: Softmax of a quantised tensor, quantised. Its attribute `opset` is
// the one whose Softmax is meant: before 13 a row is everything from `axis` on.
#include "ops/api/math/row.h"
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_softmax_op {
namespace {

void lower(OpContext& op) {
  const QuantizedBy from = quantized_by(op, 1), to = quantized_by(op, 3);
  const Type type = op.input(0).type();
  RowRule rule;
  rule.flattens = op.integer("opset") < 13;
  rule.axis = op.integer("axis", -1);
  rule.load = [&](const Expr& q) { return from.dequantize(q); };
  map_rows(op, rule, [&](const Row& row) { return to.quantize(softmax(row), type); });
}

}  // namespace

OpDef definition() {
  OpDef def = quantized_unary_op("QLinearSoftmax", lower);
  def.attributes = {{"axis", AttributeKind::integer}, {"opset", AttributeKind::integer, true}};
  return def;
}

}  // namespace burin::ms_q_linear_softmax_op
