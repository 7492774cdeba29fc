// Operations of expressions that compute in fp16.
#pragma once

#include "kernel/expr/scalar.h"

namespace burin {

// A failed check for what is made in floats and then rounded: functions, remainders.
UnaryFunction fp16_function_of(Unary op);
BinaryFunction fp16_function_of(Binary op);

}  // namespace burin
