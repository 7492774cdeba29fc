// Steps of optimisers (domain ai.onnx.preview.training): inputs R (learning rate) and T (update
// count), then for every trained tensor its value, its gradient and its states, kind by kind.
#pragma once

#include <functional>
#include <vector>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

struct TrainingStep {
  Expr rate, count;  // R, of the tensors' compute type; T, i64
  Expr x, gradient;
  std::vector<Expr> states;
};

// Every tensor gets f(step): its new value and its new states. `states`: how many each has.
void map_training(OpContext& op, size_t states,
                  const std::function<std::vector<Expr>(const TrainingStep&)>& f);

OpDef training_op(std::string name, std::vector<AttributeDef> attributes,
                  void (*lower)(OpContext&));

}  // namespace burin
