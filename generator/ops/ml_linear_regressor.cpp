// ai.onnx.ml LinearRegressor: X * coefficients^T + intercepts.
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_linear_regressor_op {
namespace {

void lower(OpContext& op) {
  const std::string transform = op.text("post_transform", "NONE");
  if (transform != "NONE")
    refuse("bad-attribute",
           "post_transform is " + burin::quoted(transform) + "; NONE is supported");
  const Features x = features_of(op, 0);
  const int64_t targets = op.integer("targets", 1);
  linear_scores(op, x, targets, op.output(0, Type::f32, {x.rows, targets}));
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
                .lower = lower,
                .note = "no post_transform"});
}

}  // namespace burin::ml_linear_regressor_op
