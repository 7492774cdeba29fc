// ai.onnx.ml TreeEnsemble: for each target the sum, average, least or greatest of what the leaves
// have that a row leads to. Nodes and leaves are tables of their own. Since version 5.
#include "ops/api/learning/ml_classes.h"
#include "ops/api/learning/trees.h"
#include "support/diagnostics.h"

namespace burin::ml_tree_ensemble_op {
namespace {

void lower(OpContext& op) {
  static constexpr Aggregate kAggregates[] = {Aggregate::average, Aggregate::sum, Aggregate::min,
                                              Aggregate::max};
  static constexpr const char* kTransforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO",
                                                "PROBIT"};
  const int64_t aggregate = op.integer("aggregate_function", 1),
                transform = op.integer("post_transform", 0);
  if (aggregate < 0 || aggregate > 3)
    refuse("bad-attribute", "aggregate_function is " + std::to_string(aggregate));
  if (transform < 0 || transform > 4)
    refuse("bad-attribute", "post_transform is " + std::to_string(transform));
  const Features x = features_of(op, 0);
  const Forest forest = read_tables(op);
  const Operand scores = forest_scores(op, x, forest, kAggregates[aggregate]);
  transform_scores(op, kTransforms[transform], scores,
                   op.output(0, x.x.type(), {x.rows, forest.targets}));
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "TreeEnsemble",
                .since = 5,
                .inputs = {{"X", types::f32 | only(Type::f64) | only(Type::f16)}},
                .outputs = {{"Y"}},
                .attributes = {{"aggregate_function", AttributeKind::integer},
                               {"leaf_targetids", AttributeKind::integers, true},
                               {"leaf_weights", AttributeKind::tensor, true},
                               {"membership_values", AttributeKind::tensor},
                               {"n_targets", AttributeKind::integer},
                               {"nodes_falseleafs", AttributeKind::integers, true},
                               {"nodes_falsenodeids", AttributeKind::integers, true},
                               {"nodes_featureids", AttributeKind::integers, true},
                               {"nodes_hitrates", AttributeKind::tensor},
                               {"nodes_missing_value_tracks_true", AttributeKind::integers},
                               {"nodes_modes", AttributeKind::tensor, true},
                               {"nodes_splits", AttributeKind::tensor, true},
                               {"nodes_trueleafs", AttributeKind::integers, true},
                               {"nodes_truenodeids", AttributeKind::integers, true},
                               {"post_transform", AttributeKind::integer},
                               {"tree_roots", AttributeKind::integers, true}},
                .lower = lower});
}

}  // namespace burin::ml_tree_ensemble_op
