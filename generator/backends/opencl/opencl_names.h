// What OpenCL C calls types, functions and operators.
#pragma once

#include <string_view>

#include "kernel/expr/expr.h"

namespace burin::opencl {

std::string_view type_name(Type type);    // to compute with: "float", "uchar"
std::string_view memory_name(Type type);  // as it lies in memory: "half", "uchar" of a boolean

// Built-in functions, for float and double alike; null: there is none.
const char* built_in(Unary op);
// "<": of operators that all types have; null for others.
const char* operator_text(Binary op);
// Functions of runtime_min/opencl/integer.cl, without the suffix of their type; null: none.
const char* integer_function(Binary op);

}  // namespace burin::opencl
