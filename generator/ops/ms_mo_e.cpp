// com.microsoft MoE: a mixture of experts of floats. Weights are [experts, rows, columns]; of equal
// numbers of the router the first is preferred.
#include "ops/api/layers/experts.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_mo_e_op {
namespace {

ExpertLayer layer_of(OpContext& op, int input, const Dim& count) {
  const Operand w = op.input(input);
  if (w.rank() != 3) refuse("shape-mismatch", "weights of experts must have rank 3");
  op.require_equal(w.dim(0), count, "experts that have weights");
  return {.weight =
              [w](const Index& e, const Index& row, const Index& column) {
                return in_type(Type::f32, w.at({e, row, column}));
              },
          .bias = op.has_input(input + 1) ? op.input(input + 1) : Operand(),
          .rows = w.dim(1),
          .columns = w.dim(2)};
}

void lower(OpContext& op) {
  if (op.input(2).rank() != 3) refuse("shape-mismatch", "weights of experts must have rank 3");
  Experts experts{.count = op.input(2).dim(0)};
  experts.first = layer_of(op, 2, experts.count);
  experts.second = layer_of(op, 4, experts.count);
  if (op.has_input(6)) experts.third = layer_of(op, 6, experts.count);
  experts.normalize = op.integer("normalize_routing_weights", 0) != 0;
  lower_experts(op, experts);
}

}  // namespace

OpDef definition() {
  const TypeSet real = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "MoE",
                .inputs = {{"input", real},
                           {"router_probs", real},
                           {"fc1_experts_weights", real},
                           {"fc1_experts_bias", real, Arity::optional},
                           {"fc2_experts_weights", real},
                           {"fc2_experts_bias", real, Arity::optional},
                           {"fc3_experts_weights", real, Arity::optional},
                           {"fc3_experts_bias", real, Arity::optional}},
                .outputs = {{"output"}},
                .attributes = expert_attributes(),
                .lower = lower});
}

}  // namespace burin::ms_mo_e_op
