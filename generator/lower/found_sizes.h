// What two nodes have to read to find the same sizes.
#pragma once

#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// The tensors that operands are; empty where one is none.
std::vector<ValueId> values_of(const std::vector<Operand>& inputs);

}  // namespace burin
