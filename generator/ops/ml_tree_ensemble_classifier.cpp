// ai.onnx.ml TreeEnsembleClassifier: for each class the sum of what the leaves have that a row
// leads to, and a base value; the label of the greatest. Of two classes, one may have all the
// weights: then its sum decides, against 0.5 where no weight is negative, else against 0.
#include <functional>

#include "ops/api/learning/ml_classes.h"
#include "ops/api/learning/trees.h"
#include "support/diagnostics.h"

namespace burin::ml_tree_ensemble_classifier_op {
namespace {

// Scores [rows, 2] of two classes from what the trees have for each.
using PairOf = std::function<std::pair<Expr, Expr>(const Expr& first, const Expr& second)>;

Operand paired(OpContext& op, const Operand& scores, const PairOf& pair) {
  const Operand out = op.temporary("pairs", scores.type(), scores.shape());
  op.map(out, [&](const Indices& at) {
    const auto [first, second] = pair(scores.at({at[0], 0}), scores.at({at[0], 1}));
    return Expr::cases({{{{at[1], 0, 1}}, first}}, second);
  });
  return out;
}

Operand column_of(OpContext& op, const Operand& scores, int64_t column) {
  const Operand one = op.temporary("score", scores.type(), {scores.dim(0), 1});
  op.map(one, [&](const Indices& at) { return scores.at({at[0], column}); });
  return one;
}

// What onnxruntime does, which exporters are tested with: the specification leaves it open. A class
// without weights has no score, and no base value either.
void lower_pair(OpContext& op, const Forest& forest, const Labels& labels, const Operand& sums,
                const std::string& how, const Operand& label, const Operand& z) {
  const std::vector<double> base = base_values_of(op);
  bool of[2] = {false, false}, positive = true;
  for (const Forest::Weight& weight : forest.weights) {
    of[weight.target] = true;
    positive = positive && weight.weight >= 0;
  }
  const bool both = of[0] && of[1];
  const double least = !both && positive ? 0.5 : 0.0;
  const int64_t above = both ? 1 : labels.numbers[1], below = both ? 0 : labels.numbers[0];
  if (!of[1] && base.size() < 2) {
    // One score for two classes.
    Operand single = column_of(op, sums, 0);
    if (!base.empty()) single = with_base_value(op, single, base[0]);
    map_threshold(op, single, least, above, below, label);
    return transform_single(op, how, single, !positive, z);
  }
  const Operand scores = paired(op, sums, [&](const Expr& first, const Expr& second) {
    const Expr zero = sums.zero();
    if (base.size() == 2 && of[1]) {
      const Expr sum = (of[0] ? first : zero) + base[1];
      return std::pair(of[0] ? -sum : zero, sum);
    }
    const bool shifts = !base.empty() && of[0];
    return std::pair(shifts ? first + base[0] : first, second);
  });
  map_threshold(op, column_of(op, scores, of[1] ? 1 : 0), least, above, below, label);
  transform_scores(op, how, scores, z);
}

void lower(OpContext& op) {
  const Labels labels = labels_of(op, "classlabels_int64s", "classlabels_strings");
  const auto classes = static_cast<int64_t>(labels.numbers.size());
  if (classes < 2) refuse("bad-attribute", "there are fewer than two labels");
  const Features x = features_of(op, 0);
  const Forest forest = read_forest(op, "class", classes);
  const auto base = static_cast<int64_t>(base_values_of(op).size());
  if (base != 0 && base != classes && !(classes == 2 && base == 1))
    refuse("bad-attribute",
           std::to_string(base) + " base values for " + std::to_string(classes) + " classes");
  const Operand sums = forest_scores(op, x, forest, Aggregate::sum);
  const std::string how = op.text("post_transform", "NONE");
  const Operand label = label_output(op, 0, labels, x.rows);
  const Operand z = op.output(1, Type::f32, {x.rows, classes});
  if (classes == 2) {
    lower_pair(op, forest, labels, sums, how, label, z);
  } else {
    const Operand scores = with_base_values(op, sums);
    map_greatest(op, scores, labels, label);
    transform_scores(op, how, scores, z);
  }
  give_strings(op, 0, labels, label);
}

}  // namespace

OpDef definition() {
  std::vector<AttributeDef> attributes = forest_attributes("class");
  attributes.insert(attributes.end(), {{"classlabels_int64s", AttributeKind::integers},
                                       {"classlabels_strings", AttributeKind::texts}});
  return ml_op({.name = "TreeEnsembleClassifier",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y", types::labels}, {"Z", types::all, Arity::optional}},
                .attributes = attributes,
                .lower = lower,
                .note = "labels that are strings are given as their positions, and as strings to "
                        "nodes that read them"});
}

}  // namespace burin::ml_tree_ensemble_classifier_op
