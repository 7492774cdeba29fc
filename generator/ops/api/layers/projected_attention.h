// Attention of com.microsoft whose Q, K and V are parts of one product: what the real and the
// quantised form share behind it.
#pragma once

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// Numbers of inputs; -1: the operator has none of this kind.
struct ProjectedInputs {
  int mask = -1, past = -1, scores = -1;
};

// Output 0, and 1 where the node has it, of `all` [batch, position, Q and K and V]. Attributes:
// num_heads, qkv_hidden_sizes, unidirectional, mask_filter_value, scale; earlier keys and values
// are [2, batch, heads, length, size].
void lower_projected(OpContext& op, const Operand& all, const ProjectedInputs& inputs);

// Refused (unsupported-attribute): rotation, shared buffers.
void check_projected(OpContext& op);

}  // namespace burin
