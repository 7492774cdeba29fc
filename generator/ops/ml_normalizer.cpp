// ai.onnx.ml Normalizer: each row divided by its greatest element, by the sum of its magnitudes, or
// by the root of the sum of its squares; a row whose norm is 0 stays.
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_normalizer_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 1) refuse("shape-mismatch", "X is a scalar");
  const std::string norm = op.text("norm", "MAX");
  if (norm != "MAX" && norm != "L1" && norm != "L2")
    refuse("bad-attribute", "norm is " + burin::quoted(norm) + "; it is MAX, L1 or L2");
  const Operand y = op.output(0, Type::f32, x.shape());
  KernelBuilder kernel;
  Indices row = kernel.axes(Shape(x.shape().begin(), x.shape().end() - 1)), at = row, to = row;
  const Index k = kernel.reduce_axis(x.dim(-1)), j = kernel.axis(x.dim(-1));
  at.push_back(k);
  to.push_back(j);
  const Expr each = Expr::cast(Type::f32, x.at(at)), here = Expr::cast(Type::f32, x.at(to));
  Expr size;
  if (norm == "MAX") {
    size = kernel.reduce(Combiner::max, {k}, each);
  } else if (norm == "L1") {
    size = kernel.reduce(Combiner::sum, {k}, Expr::unary(Unary::abs, each));
  } else {
    size = Expr::unary(Unary::sqrt, kernel.reduce(Combiner::sum, {k}, each * each));
  }
  const Expr none = compare(Binary::eq, size, Expr::constant(Type::f32, 0.0));
  kernel.write(y, to, Expr::select(none, here, here / size));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "Normalizer",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = {{"norm", AttributeKind::text}},
                .lower = lower});
}

}  // namespace burin::ml_normalizer_op
