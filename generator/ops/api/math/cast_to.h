// What Cast and CastLike do to an element.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// y = x as elements of `to`, with the attributes saturate and round_mode of the operator.
void cast_to(OpContext& op, const Operand& x, Type to);

}  // namespace burin
