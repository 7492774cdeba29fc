// Movement operators: outputs that are index maps of inputs, and where their parameters come from.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// The index into a tensor of shape `from` of the point `at` of the same elements in shape `to`
// (row-major). The shapes are cut into the shortest runs of dimensions with equal products, and
// linear indices are made inside a run only: dimensions that stay keep their index whatever they
// are.
Indices reshape_index(const Indices& at, const Shape& to, const Shape& from);

// y = x in another shape; the caller has made sure that the numbers of elements agree.
void map_reshape(OpContext& op, const Operand& x, const Shape& shape);

// The same elements under another shape, where the dimensions that are not 1 stay as they are
// (Squeeze, Unsqueeze): `kept[d]` is the dimension of x that dimension d of the result is, or -1
// for a new one.
void map_dimensions(OpContext& op, const Operand& x, const std::vector<int>& kept);

// y = x transposed: dimension d of y is dimension permutation[d] of x.
void map_transpose(OpContext& op, const Operand& x, const std::vector<int>& permutation);

// A list of integers that is an attribute in older opsets and an input in newer ones; its elements
// must be known while generating. nullopt when it is absent.
std::optional<std::vector<int64_t>> constant_list(OpContext& op, std::string_view attribute,
                                                  int input);

// An index of a dimension of `extent`, as ONNX gives it (negative counts from the end), that is
// data: wrapped, and clipped so that it is never outside. ONNX calls an index outside an error and
// leaves open what follows; looking at all of them before the first is used would cost a pass.
Index data_index(const Expr& element, const Dim& extent);

// A dimension of `extent` is read or written at `count` indices: where it is
// empty there is nothing to clip to, so there must be none.
void require_pickable(OpContext& op, const Dim& count, const Dim& extent);

}  // namespace burin
