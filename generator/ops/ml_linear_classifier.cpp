// ai.onnx.ml LinearClassifier: the label of the greatest score of X * coefficients^T + intercepts,
// and the scores as post_transform has them. Of two classes, one score may decide: above 0 it is
// the second.
#include "ops/api/learning/ml_classes.h"
#include "support/diagnostics.h"

namespace burin::ml_linear_classifier_op {
namespace {

void lower(OpContext& op) {
  const Features x = features_of(op, 0);
  const Labels labels = labels_of(op, "classlabels_ints", "classlabels_strings");
  const auto classes = static_cast<int64_t>(labels.numbers.size());
  const bool single = classes == 2 && op.reals("intercepts", {}).size() == 1;
  if (classes < 2) refuse("bad-attribute", "there are fewer than two labels");
  const int64_t targets = single ? 1 : classes;
  const Operand scores = op.temporary("scores", Type::f32, {x.rows, targets});
  linear_scores(op, x, targets, scores);
  const Operand label = label_output(op, 0, labels, x.rows);
  if (single) {
    map_threshold(op, scores, 0, labels.numbers[1], labels.numbers[0], label);
  } else {
    map_greatest(op, scores, labels, label);
  }
  give_strings(op, 0, labels, label);
  if (!op.has_output(1)) return;
  const std::string how = op.text("post_transform", "NONE");
  const Operand z = op.output(1, Type::f32, {x.rows, classes});
  if (single) return transform_single(op, how, scores, false, z);
  transform_scores(op, how, scores, z);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "LinearClassifier",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y", types::labels}, {"Z", types::all, Arity::optional}},
                .attributes = {{"coefficients", AttributeKind::reals, true},
                               {"intercepts", AttributeKind::reals},
                               {"classlabels_ints", AttributeKind::integers},
                               {"classlabels_strings", AttributeKind::texts},
                               {"multi_class", AttributeKind::integer},
                               {"post_transform", AttributeKind::text}},
                .lower = lower,
                .note = "labels that are strings are given as their positions, and as strings to "
                        "nodes that read them"});
}

}  // namespace burin::ml_linear_classifier_op
