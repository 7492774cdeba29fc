// GatherElements: every point of the indices takes the element of the data at the same point, with
// the index in place of the coordinate along axis. An index outside is clipped. Since opset 11.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::gather_elements_op {
namespace {

void lower(OpContext& op) {
  const Operand data = op.input(0), indices = op.input(1);
  const int axis = normalize_axis(op.integer("axis", 0), data.rank());
  if (indices.rank() != data.rank()) {
    refuse("shape-mismatch", "indices have rank " + std::to_string(indices.rank()) + ", data has " +
                                 std::to_string(data.rank()));
  }
  for (int d = 0; d < data.rank(); ++d) {
    if (d != axis) {
      op.require({{indices.dim(d), 0, data.dim(d) + 1}}, "indices dimension");
    }
  }
  const auto index = index_reader(op, 1, data.dim(axis));
  require_pickable(op, product(indices.shape()), data.dim(axis));
  const Operand y = op.output(0, data.type(), indices.shape());
  op.map(y, [&](const Indices& at) {
    Indices from = at;
    from[static_cast<size_t>(axis)] = index(at);
    return data.at(std::move(from));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "GatherElements",
          .since = 11,
          .inputs = {{"data", types::tensors}, {"indices", types::indices}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::gather_elements_op
