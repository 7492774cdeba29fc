// Adam (ai.onnx.preview.training): every element moves by the running mean of its gradients over
// the root of that of their squares, both corrected for having started at 0.
#include "ops/api/layers/training.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::adam_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 0.9), beta = op.real("beta", 0.999);
  map_training(op, 2, [&](const TrainingStep& step) {
    const Type real = step.x.type();
    const Expr gradient = step.x * op.real("norm_coefficient", 0) + step.gradient;
    const Expr mean = step.states[0] * alpha + gradient * (1 - alpha);
    const Expr square = step.states[1] * beta + gradient * gradient * (1 - beta);
    const auto left = [&](double base) {
      return 1.0 - Expr::binary(Binary::pow, Expr::constant(real, base), in_type(real, step.count));
    };
    const Expr is_later = compare(Binary::gt, step.count, Expr::constant(Type::i64, 0));
    const Expr corrected = step.rate * Expr::unary(Unary::sqrt, left(beta)) / left(alpha);
    const Expr rate = Expr::select(is_later, corrected, step.rate);
    const Expr root = Expr::unary(Unary::sqrt, square) + op.real("epsilon", 1e-6);
    const Expr moved = step.x - rate * mean / root;
    return std::vector<Expr>{moved * (1 - op.real("norm_coefficient_post", 0)), mean, square};
  });
}

}  // namespace

OpDef definition() {
  return training_op("Adam",
                     {{"alpha", AttributeKind::real},
                      {"beta", AttributeKind::real},
                      {"epsilon", AttributeKind::real},
                      {"norm_coefficient", AttributeKind::real},
                      {"norm_coefficient_post", AttributeKind::real}},
                     lower);
}

}  // namespace burin::adam_op
