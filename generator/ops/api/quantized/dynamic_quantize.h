// The scale and zero point that fit a tensor's own range.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// Writes the scale (f32, no dimensions) and zero point (u8, no dimensions) of x.
void fit_range(OpContext& op, const Operand& x, const Operand& scale, const Operand& zero);

}  // namespace burin
