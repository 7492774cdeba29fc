// Where: the element of X where the condition holds, that of Y elsewhere; all three broadcast.
// Since opset 9.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/stretch.h"
#include "support/diagnostics.h"

namespace burin::where_op {
namespace {

void lower(OpContext& op) {
  const Operand condition = op.input(0), x = op.input(1), y = op.input(2);
  if (x.type() != y.type())
    refuse("type-mismatch", "X has type " + std::string(to_string(x.type())) + ", Y has " +
                                std::string(to_string(y.type())));
  const Operand z =
      op.output(0, x.type(), broadcast(op, {condition.shape(), x.shape(), y.shape()}));
  op.map(z, [&](const Indices& at) {
    return Expr::select(stretched_at(condition, at), stretched_at(x, at), stretched_at(y, at));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Where",
          .since = 9,
          .inputs = {{"condition", types::boolean}, {"X", types::tensors}, {"Y", types::tensors}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin::where_op
