// PRelu: y = x where x >= 0, slope * x elsewhere; slope is broadcast to x, never the other way.
// Before opset 7, slope is one number or one per channel (dimension 1).
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::p_relu_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), slope = op.input(1);
  if (slope.type() != x.type())
    refuse("type-mismatch", "slope has type " + std::string(to_string(slope.type())) + ", X has " +
                                std::string(to_string(x.type())));
  if (slope.rank() > x.rank()) {
    refuse("shape-mismatch", "slope has rank " + std::to_string(slope.rank()) + ", X has " +
                                 std::to_string(x.rank()));
  }
  const bool per_channel =
      op.version() < 7 && slope.rank() == 1 && x.rank() > 1 && !slope.dim(0).is_constant(1);
  for (int d = 0; d < slope.rank(); ++d) {
    if (per_channel)
      op.require_equal(slope.dim(d), x.dim(1), "slope's dimension");
    else
      require_one_or_equal(op, slope.dim(d), x.dim(x.rank() - slope.rank() + d),
                           "slope's dimension");
  }
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr value = x.at(at);
    if (!is_signed(x.type())) return value;  // never below 0
    const Expr factor = per_channel ? slope.at({at[1]}) : slope.broadcast_at(at);
    return Expr::select(compare(Binary::lt, value, x.zero()), value * factor, value);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "PRelu",
          .inputs = {{"X", types::numeric}, {"slope", types::numeric}},
          .outputs = {{"Y"}},
          .attributes = {{"consumed_inputs", AttributeKind::integers, false, until(5)}},
          .lower = lower};
}

}  // namespace burin::p_relu_op
