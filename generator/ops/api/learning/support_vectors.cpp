#include "ops/api/learning/support_vectors.h"

#include "support/diagnostics.h"

namespace burin {

VectorKernel vector_kernel_of(OpContext& op) {
  VectorKernel out;
  out.type = op.text("kernel_type", "LINEAR");
  if (out.type != "LINEAR" && out.type != "POLY" && out.type != "RBF" && out.type != "SIGMOID")
    refuse("bad-attribute",
           "kernel_type is " + quoted(out.type) + "; LINEAR, POLY, RBF and SIGMOID exist");
  const std::vector<double> parameters = op.reals("kernel_params", {});
  if (parameters.size() != 3 && !(parameters.empty() && out.type == "LINEAR"))
    refuse("bad-attribute", "kernel_params must be gamma, coef0 and degree");
  if (parameters.size() == 3) out = {out.type, parameters[0], parameters[1], parameters[2]};
  return out;
}

Operand vector_products(OpContext& op, const Features& x, const VectorKernel& rule,
                        std::string_view vectors, int64_t count) {
  const auto numbers = static_cast<int64_t>(op.reals(vectors, {}).size());
  if (count < 1 || numbers % count != 0)
    refuse("bad-attribute", std::to_string(numbers) + " numbers in " + quoted(vectors) +
                                " are not " + std::to_string(count) + " vectors");
  const int64_t features = numbers / count;
  op.require_equal(x.columns, features, "features of a vector");
  const Operand list = attribute_list(op, vectors, {count, features});
  const Operand to = op.temporary("products", Type::f32, {x.rows, count});
  KernelBuilder kernel;
  const Index row = kernel.axis(x.rows), vector = kernel.axis(count),
              k = kernel.reduce_axis(features);
  const Expr feature = Expr::cast(Type::f32, x.at(row, k)), entry = list.at({vector, k});
  Expr value;
  if (rule.type == "RBF") {
    const Expr apart = feature - entry;
    const Expr distance = kernel.reduce(Combiner::sum, {k}, apart * apart);
    value = Expr::unary(Unary::exp, distance * -rule.gamma);
  } else {
    value = kernel.reduce(Combiner::sum, {k}, feature * entry);
    if (rule.type != "LINEAR") value = value * rule.gamma + rule.shift;
    if (rule.type == "POLY")
      value = Expr::binary(Binary::pow, value, Expr::constant(Type::f32, rule.degree));
    if (rule.type == "SIGMOID") value = Expr::unary(Unary::tanh, value);
  }
  kernel.write(to, {row, vector}, value);
  op.emit(kernel);
  return to;
}

std::vector<AttributeDef> vector_attributes() {
  return {{"coefficients", AttributeKind::reals}, {"kernel_params", AttributeKind::reals},
          {"kernel_type", AttributeKind::text},   {"post_transform", AttributeKind::text},
          {"rho", AttributeKind::reals},          {"support_vectors", AttributeKind::reals}};
}

}  // namespace burin
