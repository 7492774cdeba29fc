// ConstantOfShape: a tensor of the given shape with one value everywhere (f32 zero unless the
// attribute says otherwise). Since opset 9.
#include "kernel/tensor.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::constant_of_shape_op {
namespace {

void lower(OpContext& op) {
  Type type = Type::f32;
  ScalarValue value;
  if (op.has("value")) {
    const Tensor& given = op.tensor("value");
    if (given.elements() != 1 || given.type == Type::string)
      refuse("bad-attribute", "value must be a tensor of one number");
    type = given.type;
    value = to_tensor(given.type, given.shape, given.content).get(0);
  }
  if (op.input(0).rank() != 1) {
    refuse("shape-mismatch", "the shape has shape " + to_string(op.input(0).shape()) +
                                 "; it must have one dimension");
  }
  const Operand y = op.output(0, type, op.elements(0, {0, kUnbounded}));
  op.map(y, [&](const Indices&) {
    return is_float(type) ? y.constant(value.number) : y.constant(value.integer);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "ConstantOfShape",
          .since = 9,
          .inputs = {{"input", types::i64}},
          .outputs = {{"output"}},
          .attributes = {{"value", AttributeKind::tensor}},
          .lower = lower};
}

}  // namespace burin::constant_of_shape_op
