// Expand: the input broadcast with the given shape (both ways, as binary operators broadcast).
// Since opset 8.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/stretch.h"
#include "support/diagnostics.h"

namespace burin::expand_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (op.input(1).rank() != 1) {
    refuse("shape-mismatch", "the shape has shape " + to_string(op.input(1).shape()) +
                                 "; it must have one dimension");
  }
  const Shape wanted = op.elements(1, {0, kUnbounded});
  const Operand y = op.output(0, x.type(), broadcast(op, {x.shape(), wanted}));
  op.map(y, [&](const Indices& at) { return stretched_at(x, at); });
}

}  // namespace

OpDef definition() {
  return {.name = "Expand",
          .since = 8,
          .inputs = {{"input", types::tensors}, {"shape", types::i64}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin::expand_op
