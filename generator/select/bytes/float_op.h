// A number in f32 that is quantised, as an operation (line.h, isa/quantise_rows.h).
#pragma once

#include <optional>
#include <vector>

#include "select/bytes/byte_ops.h"

namespace burin {

// The axes that constants move with; false: along lanes, or their points are not known or too many.
bool find_point_axes(const Expr& rest, const Kernel& kernel, const std::vector<int>& lanes,
                     std::vector<int>& axes);

// `number`: the one load of the value that is no constant. Constants may move, but not along
// `lanes`. nullopt: it is no line of it. Constants are appended.
std::optional<SaidByteOp> find_float_op(const Expr& value, const Expr& number, const Kernel& kernel,
                                        const std::vector<int>& lanes, std::vector<Value>& values);

}  // namespace burin
