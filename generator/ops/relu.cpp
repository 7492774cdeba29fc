// Relu: y = max(x, 0); NaN stays NaN. Integers since opset 14.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::relu_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) { return max(x.at(at), x.zero()); });
}

}  // namespace

OpDef definition() {
  return {.name = "Relu",
          .inputs = {{"X", types::floats | types::signed_integers}},
          .outputs = {{"Y"}},
          .attributes = {{"consumed_inputs", AttributeKind::integers, false, until(5)}},
          .lower = lower};
}

}  // namespace burin::relu_op
