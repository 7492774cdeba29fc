// Small constants that decide what a lowering emits.
#pragma once

#include <optional>

#include "ops/api/op_context.h"

namespace burin {

// The only element of input i where it is a constant of a numeric type, as a double (f16 and wider
// floats and integers up to 2^53 are exact); nullopt where the input is absent, not constant, has
// several elements or a type of less than 16 bits that is not an integer.
std::optional<double> scalar_constant(OpContext& op, int i);

// The element type that an ONNX data type number (TensorProto.DataType) stands for; a number that
// is none, or one that burin has no type for, is refused.
Type type_of_onnx(int64_t data_type);

}  // namespace burin
