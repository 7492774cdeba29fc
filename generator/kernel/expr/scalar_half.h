// Operations of expressions that compute in halves.
#pragma once

#include "kernel/expr/scalar.h"

namespace burin {

// A failed check for what is made in floats and then rounded: functions, remainders.
UnaryFunction half_function_of(Unary op);
BinaryFunction half_function_of(Binary op);

}  // namespace burin
