// Unsqueeze: new dimensions of 1 at the places in axes of the result. axes is an input since opset
// 13, whose contents may be known only to the run.
#include <algorithm>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/dynamic_axes.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::unsqueeze_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (op.version() >= 13 && op.input(1).rank() == 1)
    check_rank(x.rank() + op.input(1).dim(0).range().lo);
  if (const std::optional<DynamicAxes> run = dynamic_axes(op, 1, kMostDimensions - x.rank())) {
    const Shape shape = with_ones(op, x.shape(), marked(op, *run, x.rank() + run->count));
    op.require_equal(product(shape), product(x.shape()), "number of elements");
    map_reshape(op, x, shape);
    return;
  }
  const std::optional<std::vector<int64_t>> axes = constant_list(op, "axes", 1);
  if (!axes) refuse("bad-attribute", "axes are missing");
  check_rank(x.rank() + static_cast<int64_t>(axes->size()));
  const int rank = x.rank() + static_cast<int>(axes->size());
  const std::vector<int> added = normalize_axes(*axes, rank);
  std::vector<int> kept;
  for (int d = 0, from = 0; d < rank; ++d)
    kept.push_back(std::binary_search(added.begin(), added.end(), d) ? -1 : from++);
  map_dimensions(op, x, kept);
}

}  // namespace

OpDef definition() {
  return {.name = "Unsqueeze",
          .inputs = {{"data", types::tensors}, {"axes", types::i64, Arity::required, since(13)}},
          .outputs = {{"expanded"}},
          .attributes = {{"axes", AttributeKind::integers, true, until(12)}},
          .lower = lower};
}

}  // namespace burin::unsqueeze_op
