// ai.onnx.ml TreeEnsembleRegressor: for each target the sum, average, least or greatest of what the
// leaves have that a row leads to, and a base value. Every node is of one of the trees.
#include "ops/api/learning/ml_classes.h"
#include "ops/api/learning/trees.h"
#include "support/diagnostics.h"

namespace burin::ml_tree_ensemble_regressor_op {
namespace {

Aggregate aggregate_of(const std::string& name) {
  if (name == "SUM") return Aggregate::sum;
  if (name == "AVERAGE") return Aggregate::average;
  if (name == "MIN") return Aggregate::min;
  if (name == "MAX") return Aggregate::max;
  refuse("bad-attribute",
         "aggregate_function is " + burin::quoted(name) + "; AVERAGE, SUM, MIN and MAX exist");
}

void lower(OpContext& op) {
  const int64_t targets = op.integer("n_targets", 1);
  if (targets < 1 || targets > highest(Type::i32))
    refuse("bad-attribute", "n_targets is " + std::to_string(targets));
  const Features x = features_of(op, 0);
  const Forest forest = read_forest(op, "target", targets);
  Operand scores = forest_scores(op, x, forest, aggregate_of(op.text("aggregate_function", "SUM")));
  scores = with_base_values(op, scores);
  transform_scores(op, op.text("post_transform", "NONE"), scores,
                   op.output(0, Type::f32, {x.rows, targets}));
}

}  // namespace

OpDef definition() {
  std::vector<AttributeDef> attributes = forest_attributes("target");
  attributes.insert(attributes.end(), {{"aggregate_function", AttributeKind::text},
                                       {"n_targets", AttributeKind::integer}});
  return ml_op({.name = "TreeEnsembleRegressor",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = attributes,
                .lower = lower});
}

}  // namespace burin::ml_tree_ensemble_regressor_op
