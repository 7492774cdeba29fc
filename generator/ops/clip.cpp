// Clip: y = min(max(x, low), high); NaN stays NaN. The bounds are attributes until opset 10 and
// optional one-element inputs from 11 on. A bound that is absent is the last finite number of the
// type, to which infinities are clipped; from 6 to 10 it is that of f32 whatever the type.
#include <limits>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::clip_op {
namespace {

// The largest finite number of a floating-point type.
double greatest(Type type) {
  switch (type) {
    case Type::f16:
      return 65504;
    case Type::bf16:
      return 0x1.FEp127;
    case Type::f64:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

// The bound at input i or in the attribute, or an empty expression where nothing is beyond it.
Expr bound(OpContext& op, const Operand& x, int i, const char* attribute) {
  if (op.version() < 11 && op.has(attribute))
    return constant_of(x.type(), op.real(attribute, 0), attribute);
  if (op.version() >= 11 && op.has_input(i)) {
    const Operand value = op.input(i);
    if (value.type() != x.type())
      refuse("type-mismatch", "a bound has type " + std::string(to_string(value.type())) +
                                  ", the input has " + std::string(to_string(x.type())));
    op.require_equal(product(value.shape()), 1, "elements of a bound");
    return value.scalar();
  }
  if (op.version() < 6 || !is_float(x.type())) return Expr();
  const double last = greatest(op.version() < 11 ? Type::f32 : x.type());
  return x.constant(i == 1 ? -last : last);
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

OpDef definition() {
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

}  // namespace burin::clip_op
