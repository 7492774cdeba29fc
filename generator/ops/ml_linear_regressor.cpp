// ai.onnx.ml LinearRegressor: X * coefficients^T + intercepts, as post_transform has them.
#include "ops/api/learning/ml_classes.h"

namespace burin::ml_linear_regressor_op {
namespace {

void lower(OpContext& op) {
  const std::string transform = op.text("post_transform", "NONE");
  const Features x = features_of(op, 0);
  const int64_t targets = op.integer("targets", 1);
  const Operand y = op.output(0, Type::f32, {x.rows, targets});
  if (transform == "NONE") {
    linear_scores(op, x, targets, y);
    return;
  }
  const Operand scores = op.temporary("scores", Type::f32, y.shape());
  transform_scores(op, transform, linear_scores(op, x, targets, scores), y);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "LinearRegressor",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = {{"coefficients", AttributeKind::reals},
                               {"intercepts", AttributeKind::reals},
                               {"post_transform", AttributeKind::text},
                               {"targets", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ml_linear_regressor_op
