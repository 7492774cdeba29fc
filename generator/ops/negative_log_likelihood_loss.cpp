// NegativeLogLikelihoodLoss: -w[t] * x[n, t, ...], reduced. Since opset 12.
#include "ops/api/layers/loss.h"

namespace burin::negative_log_likelihood_loss_op {
namespace {

void lower(OpContext& op) { map_class_loss(op, op.input(0)); }

}  // namespace

OpDef definition() {
  return {.name = "NegativeLogLikelihoodLoss",
          .since = 12,
          .inputs = {{"input", types::floats},
                     {"target", types::indices},
                     {"weight", types::floats, Arity::optional}},
          .outputs = {{"loss"}},
          .attributes = class_loss_attributes(),
          .lower = lower};
}

}  // namespace burin::negative_log_likelihood_loss_op
