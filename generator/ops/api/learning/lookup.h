// Values that stand beside keys, numbers or strings either of them: LabelEncoder, CategoryMapper.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// Output 0: for every element of input 0 the value beside the first key that it is, else the last
// of `values`, which are one more than `keys`. Both have rank 1.
void emit_lookup(OpContext& op, const Tensor& keys, const Tensor& values);

// A list of strings as a tensor.
Tensor list_tensor(std::vector<std::string> strings);

}  // namespace burin
