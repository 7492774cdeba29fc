// ai.onnx.ml Scaler: (x - offset) * scale, with one number or one for each feature.
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_scaler_op {
namespace {

Operand list_of(OpContext& op, std::string_view attribute, const Dim& features) {
  const auto count = static_cast<int64_t>(op.reals(attribute, {}).size());
  if (count != 1)
    op.require_equal(features, count, "features and elements of " + burin::quoted(attribute));
  return attribute_list(op, attribute, {count});
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  const Operand offset = list_of(op, "offset", x.dim(-1)), scale = list_of(op, "scale", x.dim(-1));
  op.map(op.output(0, Type::f32, x.shape()), [&](const Indices& at) {
    const Expr element = as_float(x.at(at));
    const auto number = [&](const Operand& list) {
      return Expr::cast(element.type(), list.broadcast_at({at.back()}));
    };
    return Expr::cast(Type::f32, (element - number(offset)) * number(scale));
  });
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "Scaler",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = {{"offset", AttributeKind::reals}, {"scale", AttributeKind::reals}},
                .lower = lower});
}

}  // namespace burin::ml_scaler_op
