// A number of 32 bits that is dequantised and becomes a byte, as an operation: a line of it
// (line.h) by the row that makes bytes of sums (isa/requantise_rows.h).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "select/bytes/byte_ops.h"

namespace burin {

// `number`: the one load in i32 of the value that is no constant. Constants may move, but not along
// `lanes`. nullopt: it is no line of it. Constants are appended.
std::optional<SaidByteOp> find_sum_op(const Expr& value, const Expr& number, const Kernel& kernel,
                                      const std::vector<int>& lanes, std::vector<Value>& values);

}  // namespace burin
