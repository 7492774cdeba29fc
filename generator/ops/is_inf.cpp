// IsInf: true where x is infinite; detect_positive and detect_negative choose the signs that count.
// Since opset 10.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::is_inf_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, Type::boolean, x.shape());
  const bool positive = op.integer("detect_positive", 1) != 0;
  const bool negative = op.integer("detect_negative", 1) != 0;
  op.map(y, [&](const Indices& at) {
    const Expr value = x.at(at);
    const Expr infinite = Expr::unary(Unary::is_inf, value);
    if (positive && negative) return infinite;
    if (!positive && !negative) return Expr::boolean(false);
    const Expr sign = compare(positive ? Binary::gt : Binary::lt, value, x.zero());
    return Expr::binary(Binary::logical_and, infinite, sign);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "IsInf",
          .since = 10,
          .inputs = {{"X", types::floats | types::narrow8}},
          .outputs = {{"Y"}},
          .attributes = {{"detect_negative", AttributeKind::integer},
                         {"detect_positive", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::is_inf_op
