// Clip: y = min(max(x, low), high); NaN stays NaN. The bounds are attributes until opset 10 and
// optional one-element inputs from 11 on. A bound that is absent does not act, but from opset 6 to
// 10, where it is the largest finite f32.
#include <limits>

#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The bound at input i or in the attribute, or an empty expression.
Expr bound(OpContext& op, const Operand& x, int i, const char* attribute) {
  if (op.version() < 11) {
    const double most = std::numeric_limits<float>::max();
    if (op.version() < 6 && !op.has(attribute)) return Expr();
    return x.constant(op.real(attribute, i == 1 ? -most : most));
  }
  if (!op.has_input(i)) return Expr();
  const Operand value = op.input(i);
  if (value.type() != x.type())
    refuse("type-mismatch", "a bound has type " + std::string(to_string(value.type())) +
                                ", the input has " + std::string(to_string(x.type())));
  op.require_equal(product(value.shape()), 1, "elements of a bound");
  return value.scalar();
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Expr low = bound(op, x, 1, "min"), high = bound(op, x, 2, "max");
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) {
    Expr value = x.at(at);
    if (low) value = max(value, low);
    if (high) value = min(value, high);
    return value;
  });
}

}  // namespace

OpDef op_clip() {
  return {.name = "Clip",
          .inputs = {{"input", types::numeric},
                     {"min", types::numeric, Arity::optional, since(11)},
                     {"max", types::numeric, Arity::optional, since(11)}},
          .outputs = {{"output"}},
          .attributes = {{"min", AttributeKind::real, false, until(10)},
                         {"max", AttributeKind::real, false, until(10)},
                         {"consumed_inputs", AttributeKind::integers, false, until(5)}},
          .lower = lower};
}

}  // namespace burin
