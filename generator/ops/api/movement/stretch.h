// Operands of broadcasts whose sizes the operator has required to fit together.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// The element of `x` at a point of what `broadcast` gave for its shape and others. A dimension of
// which it is dynamic whether it is 1 is indexed by i * step, with a step of 0 or 1 that does
// not depend on the point: min(1, extent - 1).
Expr stretched_at(const Operand& x, const Indices& at);

}  // namespace burin
