// A Loop that carries sequences or optionals: what they hold differs from one iteration to the
// next, so that every iteration is lowered on its own and none is left behind.
#pragma once

#include "ops/api/op_context.h"

namespace burin {

// Lowers the node of a Loop. Number of trips and conditions must be known while generating.
void unroll_loop(OpContext& op);

}  // namespace burin
