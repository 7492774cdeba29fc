// IsNaN: true where x is NaN. Since opset 9.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::is_nan_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, Type::boolean, x.shape());
  op.map(y, [&](const Indices& at) { return Expr::unary(Unary::is_nan, x.at(at)); });
}

}  // namespace

OpDef definition() {
  return {.name = "IsNaN",
          .since = 9,
          .inputs = {{"X", types::floats | types::narrow8}},
          .outputs = {{"Y"}},
          .lower = lower};
}

}  // namespace burin::is_nan_op
