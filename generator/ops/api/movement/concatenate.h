// Several tensors as one: one after the other along a dimension, or side by side along a new one.
// Both are reads in pieces, so that whoever reads the result reads the parts.
#pragma once

#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// The shape of `parts` one after the other along `axis`. Types, ranks and the other dimensions must
// be equal: refused, or checked when the tree runs.
Shape concatenated_shape(OpContext& op, const std::vector<Operand>& parts, int axis);
void map_concatenated(OpContext& op, const Operand& to, const std::vector<Operand>& parts,
                      int axis);

// The shape of `parts`, all of one shape, along a new dimension `axis`.
Shape stacked_shape(OpContext& op, const std::vector<Operand>& parts, int axis);
void map_stacked(OpContext& op, const Operand& to, const std::vector<Operand>& parts, int axis);

}  // namespace burin
