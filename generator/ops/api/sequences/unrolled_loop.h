// A Loop that carries sequences or optionals and whose trips are known: every iteration is lowered
// on its own, so that their tensors stay values of their own.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// Lowers the node of a Loop. False: the number of trips or a condition is not known while
// generating, or there are very many; what was lowered by then is to be forgotten.
bool unroll_loop(OpContext& op);

}  // namespace burin
