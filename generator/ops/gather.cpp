// Gather: whole slices of the data along axis, one per index; negative indices count from the end.
// An index outside the dimension is clipped into it.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"

namespace burin::gather_op {
namespace {

void lower(OpContext& op) {
  const Operand data = op.input(0), indices = op.input(1);
  const int axis = normalize_axis(op.integer("axis", 0), data.rank());
  const auto index = index_reader(op, 1, data.dim(axis));

  Shape shape(data.shape().begin(), data.shape().begin() + axis);
  shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
  shape.insert(shape.end(), data.shape().begin() + axis + 1, data.shape().end());
  require_pickable(op, product(shape), data.dim(axis));
  const Operand y = op.output(0, data.type(), shape);
  op.map(y, [&](const Indices& at) {
    const auto first = at.begin() + axis, last = first + indices.rank();
    Indices from(at.begin(), first);
    from.push_back(index(Indices(first, last)));
    from.insert(from.end(), last, at.end());
    return data.at(std::move(from));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Gather",
          .inputs = {{"data", types::tensors}, {"indices", types::indices}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::gather_op
