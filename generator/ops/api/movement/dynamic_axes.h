// Dynamic lists of axes: ranks follow from how many there are, extents from the
// run.
#pragma once

#include <optional>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// Whether input `input` is a list of axes that is not known before the run, but as long as `count`
// says: at most `most`, else refused. What is made of it has that many parts for each dimension.
struct DynamicAxes {
  int count = 0;
  Operand list;  // or, of one axis, a number
};
std::optional<DynamicAxes> dynamic_axes(const OpContext& op, int input, int64_t most);

// For each of `rank` dimensions 1 where the run finds it in the list (negative axes count from the
// end), else 0: dynamic sizes. The run stops where an axis is outside or given twice.
std::vector<Dim> marked(OpContext& op, const DynamicAxes& axes, int rank);

// The extents of `from`, without those that are marked; `count` of them are.
Shape without_marked(OpContext& op, const Shape& from, const std::vector<Dim>& marks, int count);

// The extents of `from` in order, with 1 where one is marked.
Shape with_ones(OpContext& op, const Shape& from, const std::vector<Dim>& marks);

}  // namespace burin
