// Small constants that decide what a lowering emits.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// The only element of a tensor of numbers, as a double (exact for f16 and wider floats and for
// integers up to 2^53); nullopt without a tensor, or where it has not exactly one element.
std::optional<double> scalar_of(const std::optional<Tensor>& tensor);
// That of input i, where it is given and constant.
std::optional<double> scalar_constant(OpContext& op, int i);

// The only element of a tensor, where it is a number that is known before the run; `known`: its
// elements, as OpContext::known() gives them.
std::optional<int64_t> known_number(const std::optional<std::vector<Dim>>& known);

// The element type that an ONNX data type number (TensorProto.DataType) stands for; a number that
// is none, or one that burin has no type for, is refused.
Type type_of_onnx(int64_t data_type);
// The same by its name there, such as "FLOAT16".
Type type_of_onnx(std::string_view data_type);

}  // namespace burin
