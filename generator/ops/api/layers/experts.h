// Mixtures of experts: every row goes through the layers of the few experts that its router
// prefers.
#pragma once

#include <functional>
#include <optional>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// One layer of all experts: weight(e, r, c) is f32; `bias`, where there is one, [experts, rows].
struct ExpertLayer {
  std::function<Expr(const Index& expert, const Index& row, const Index& column)> weight;
  Operand bias = {};
  Dim rows, columns;
};

struct Experts {
  Dim count;
  ExpertLayer first = {}, second = {};
  std::optional<ExpertLayer> third = {};  // that gates the first
  bool normalize = false;                 // weights of the chosen experts sum up to 1
};

// Lowers the node: inputs 0 (rows, rank 2 or 3) and 1 (router's numbers, [rows, experts]),
// attributes k, activation_* and swiglu_*; output 0.
void lower_experts(OpContext& op, const Experts& experts);

std::vector<AttributeDef> expert_attributes();

}  // namespace burin
