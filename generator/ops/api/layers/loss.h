// Losses of class probabilities: NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.
#pragma once

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// Output 0 = the loss -w[t] * x[n, t, d ...] of log-probabilities x [N, C, D ...] for the classes t
// of input 1 (weights, input 2, are optional), reduced as the attribute `reduction` says. Classes
// equal to ignore_index have weight 0; classes outside are clipped.
void map_class_loss(OpContext& op, const Operand& x);

std::vector<AttributeDef> class_loss_attributes();

}  // namespace burin
