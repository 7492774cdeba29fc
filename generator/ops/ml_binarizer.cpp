// ai.onnx.ml Binarizer: 1 where x is above the threshold, else 0.
#include "ops/api/learning/ml.h"

namespace burin::ml_binarizer_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const double threshold = op.real("threshold", 0);
  op.map(op.output(0, x.type(), x.shape()), [&](const Indices& at) {
    const Expr element = as_float(x.at(at));
    const Expr above = compare(Binary::gt, element,
                               Expr::constant(element.type(), static_cast<double>(threshold)));
    return Expr::select(above, x.constant(1), x.constant(0));
  });
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "Binarizer",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = {{"threshold", AttributeKind::real}},
                .lower = lower});
}

}  // namespace burin::ml_binarizer_op
