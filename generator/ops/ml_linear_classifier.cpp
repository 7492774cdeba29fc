// ai.onnx.ml LinearClassifier: the label of the greatest score of X * coefficients^T + intercepts,
// and the scores as post_transform has them. Labels are integers, and there is a score for each.
#include "kernel/tensor.h"
#include "ops/api/activation.h"
#include "ops/api/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_linear_classifier_op {
namespace {

void transform_scores(OpContext& op, const std::string& how, const Operand& scores,
                      const Operand& to) {
  if (how == "NONE") return op.map(to, [&](const Indices& at) { return scores.at(at); });
  if (how == "LOGISTIC")
    return op.map(to, [&](const Indices& at) { return sigmoid(scores.at(at)); });
  if (how != "SOFTMAX")
    refuse("bad-attribute", "post_transform is " + burin::quoted(how) +
                                "; NONE, LOGISTIC and SOFTMAX are supported");
  KernelBuilder kernel;
  const Index row = kernel.axis(to.dim(0)), k = kernel.reduce_axis(to.dim(1)),
              column = kernel.axis(to.dim(1));
  const Expr greatest = kernel.reduce(Combiner::max, {k}, scores.at({row, k}));
  const auto power = [&](const Index& at) {
    return Expr::unary(Unary::exp, scores.at({row, at}) - greatest);
  };
  const Expr total = kernel.reduce(Combiner::sum, {k}, power(k));
  kernel.write(to, {row, column}, power(column) / total);
  op.emit(kernel);
}

void lower(OpContext& op) {
  if (op.has("classlabels_strings"))
    refuse("bad-attribute", "labels are strings", "export the model with integers as labels");
  const Features x = features_of(op, 0);
  const std::vector<int64_t> labels = op.integers("classlabels_ints");
  const auto classes = static_cast<int64_t>(labels.size());
  if (classes < 2 || op.reals("intercepts", {}).size() == 1)
    refuse("bad-attribute", "one score for two classes is not supported");
  const Operand scores = op.temporary("scores", Type::f32, {x.rows, classes});
  linear_scores(op, x, classes, scores);
  const HostTensor host = make_tensor(Type::i64, {classes}, labels);
  const Operand list =
      op.constant_operand("labels", {host.type, host.shape, to_constant(host), {}});
  KernelBuilder kernel;
  const Index row = kernel.axis(x.rows), k = kernel.reduce_axis(classes);
  const std::vector<Expr> best =
      kernel.reduce_tuple(Combiner::first_max, {k}, {scores.at({row, k}), list.at({k})});
  kernel.write(op.output(0, Type::i64, {x.rows}), {row}, best[1]);
  op.emit(kernel);
  if (op.has_output(1)) {
    transform_scores(op, op.text("post_transform", "NONE"), scores,
                     op.output(1, Type::f32, {x.rows, classes}));
  }
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "LinearClassifier",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}, {"Z", types::all, Arity::optional}},
                .attributes = {{"coefficients", AttributeKind::reals, true},
                               {"intercepts", AttributeKind::reals},
                               {"classlabels_ints", AttributeKind::integers},
                               {"classlabels_strings", AttributeKind::texts},
                               {"multi_class", AttributeKind::integer},
                               {"post_transform", AttributeKind::text}},
                .lower = lower,
                .note = "labels are integers; a score for each class"});
}

}  // namespace burin::ml_linear_classifier_op
