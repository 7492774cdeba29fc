// Concat: the inputs one after the other along axis (before opset 4, dimension 1 unless given).
#include "ops/api/core/op_def.h"
#include "ops/api/movement/concatenate.h"
#include "support/diagnostics.h"

namespace burin::concat_op {
namespace {

void lower(OpContext& op) {
  const Operand first = op.input(0);
  if (first.rank() == 0) refuse("shape-mismatch", "scalars cannot be concatenated");
  const int64_t given = op.version() < 4 ? op.integer("axis", 1) : op.integer("axis");
  const int axis = normalize_axis(given, first.rank());
  std::vector<Operand> inputs;
  for (int i = 0; i < op.input_count(); ++i) inputs.push_back(op.input(i));
  const Operand y = op.output(0, first.type(), concatenated_shape(op, inputs, axis));
  map_concatenated(op, y, inputs, axis);
}

}  // namespace

OpDef definition() {
  return {.name = "Concat",
          .inputs = {{"inputs", types::tensors, Arity::variadic}},
          .outputs = {{"concat_result"}},
          .attributes = {{"axis", AttributeKind::integer, false, until(3)},
                         {"axis", AttributeKind::integer, true, since(4)}},
          .lower = lower};
}

}  // namespace burin::concat_op
