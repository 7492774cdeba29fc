// ArgMax and ArgMin: the position of the extreme element along one axis.
#pragma once

#include <string>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// `first` and `last`: the combiners that keep the first and the last of equal elements.
void map_arg_extreme(OpContext& op, Combiner first, Combiner last);
OpDef arg_extreme_op(std::string name, void (*lower)(OpContext&));

}  // namespace burin
