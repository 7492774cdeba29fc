// Momentum (ai.onnx.preview.training): every element moves by a running sum of its gradients, which
// is its state; with mode "nesterov" by where that sum leads next.
#include "ops/api/layers/training.h"
#include "support/diagnostics.h"

namespace burin::momentum_op {
namespace {

void lower(OpContext& op) {
  const std::string mode = op.text("mode", "standard");
  if (mode != "standard" && mode != "nesterov") refuse("bad-attribute", "mode is " + quoted(mode));
  const double alpha = op.real("alpha", 0), beta = op.real("beta", 0);
  map_training(op, 1, [&](const TrainingStep& step) {
    const Type real = step.x.type();
    const Expr gradient = step.x * op.real("norm_coefficient", 0) + step.gradient;
    // The first update takes the gradient whole.
    const Expr is_later = compare(Binary::gt, step.count, Expr::constant(Type::i64, 0));
    const Expr share = Expr::select(is_later, Expr::constant(real, beta), Expr::constant(real, 1));
    const Expr sum = step.states[0] * alpha + share * gradient;
    const Expr move = mode == "nesterov" ? gradient + sum * alpha : sum;
    return std::vector<Expr>{step.x - step.rate * move, sum};
  });
}

}  // namespace

OpDef definition() {
  return training_op("Momentum",
                     {{"alpha", AttributeKind::real, true},
                      {"beta", AttributeKind::real, true},
                      {"mode", AttributeKind::text, true},
                      {"norm_coefficient", AttributeKind::real, true}},
                     lower);
}

}  // namespace burin::momentum_op
