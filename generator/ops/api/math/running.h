// Running sums and products along an axis, in one pass over it: s[t] = s[t - 1] + x[t]. exclusive
// leaves out the element itself, reverse runs from the end. The axis is an input; one that is
// dynamic chooses among kernels for all.
#pragma once

#include <string>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// `neutral`: what an exclusive one starts with.
void lower_running(OpContext& op, Binary combine, int64_t neutral);

OpDef running_op(std::string name, int since, void (*lower)(OpContext&));

}  // namespace burin
