// Adagrad (ai.onnx.preview.training): every element moves by its gradient over the root of the sum
// of its squared gradients, which is its state.
#include "ops/api/layers/training.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::adagrad_op {
namespace {

void lower(OpContext& op) {
  map_training(op, 1, [&](const TrainingStep& step) {
    const Type real = step.x.type();
    const Expr rate = step.rate / (in_type(real, step.count) * op.real("decay_factor", 0) + 1.0);
    const Expr gradient = step.x * op.real("norm_coefficient", 0) + step.gradient;
    const Expr sum = step.states[0] + gradient * gradient;
    const Expr root = Expr::unary(Unary::sqrt, sum) + op.real("epsilon", 1e-6);
    return std::vector<Expr>{step.x - rate * gradient / root, sum};
  });
}

}  // namespace

OpDef definition() {
  return training_op("Adagrad",
                     {{"decay_factor", AttributeKind::real},
                      {"epsilon", AttributeKind::real},
                      {"norm_coefficient", AttributeKind::real}},
                     lower);
}

}  // namespace burin::adagrad_op
