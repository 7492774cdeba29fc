// ai.onnx.ml SVMRegressor: the sum over support vectors of a coefficient times the kernel of the
// row and the vector, and rho; without vectors the coefficients are those of a linear function.
// With one_class the sign alone counts.
#include "ops/api/learning/ml_classes.h"
#include "ops/api/learning/support_vectors.h"
#include "support/diagnostics.h"

namespace burin::ml_svm_regressor_op {
namespace {

void lower(OpContext& op) {
  const Features x = features_of(op, 0);
  const int64_t vectors = op.integer("n_supports", 0);
  const std::vector<double> rho = op.reals("rho", {});
  if (rho.empty()) refuse("bad-attribute", "attribute 'rho' is empty");
  const bool one_class = op.integer("one_class", 0) != 0;
  Operand sums = op.temporary("sums", Type::f32, {x.rows, 1});
  const VectorKernel rule = vectors > 0 ? vector_kernel_of(op) : VectorKernel{};
  const Operand products = vector_products(
      op, x, rule, vectors > 0 ? "support_vectors" : "coefficients", vectors > 0 ? vectors : 1);
  if (vectors > 0) {
    const Operand weights = attribute_list(op, "coefficients", {vectors});
    KernelBuilder kernel;
    const Index row = kernel.axis(x.rows), k = kernel.reduce_axis(vectors);
    kernel.write(sums, {row, 0},
                 kernel.reduce(Combiner::sum, {k}, products.at({row, k}) * weights.at({k})));
    op.emit(kernel);
  } else {
    sums = products;
  }
  const Operand shifted = op.temporary("shifted", Type::f32, {x.rows, 1});
  op.map(shifted, [&](const Indices& at) {
    const Expr value = sums.at({at[0], 0}) + rho[0];
    if (!one_class) return value;
    return Expr::select(compare(Binary::gt, value, shifted.zero()), shifted.constant(1),
                        shifted.constant(-1));
  });
  transform_scores(op, op.text("post_transform", "NONE"), shifted,
                   op.output(0, Type::f32, {x.rows, 1}));
}

}  // namespace

OpDef definition() {
  std::vector<AttributeDef> attributes = vector_attributes();
  attributes.insert(attributes.end(), {{"n_supports", AttributeKind::integer},
                                       {"one_class", AttributeKind::integer}});
  return ml_op({.name = "SVMRegressor",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = attributes,
                .lower = lower});
}

}  // namespace burin::ml_svm_regressor_op
