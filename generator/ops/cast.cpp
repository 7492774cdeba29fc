// Cast: the same numbers in another element type. Floats to integers truncate, integers wrap,
// anything but zero is true; float8 targets clip to their range when saturate is 1 (since opset
// 19). Until opset 5 the type is given by name. Strings are not supported.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "ops/api/scalars.h"

namespace burin::cast_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Type to =
      op.version() < 6 ? type_of_onnx(op.text("to", "")) : type_of_onnx(op.integer("to"));
  const bool clips = types::narrow8.contains(to) && op.integer("saturate", 1) != 0;
  const CastMode mode = clips ? CastMode::saturate : CastMode::convert;
  // Of a float that a 4-bit integer cannot hold, the low bits stay.
  const bool by_bits = types::int4.contains(to) && is_float(x.compute());
  const Operand y = op.output(0, to, x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr value = x.at(at);
    return Expr::cast(to, by_bits ? Expr::cast(Type::i32, value) : value, mode);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Cast",
          .inputs = {{"input"}},
          .outputs = {{"output"}},
          .attributes = {{"to", AttributeKind::text, true, until(5)},
                         {"to", AttributeKind::integer, true, since(6)},
                         {"saturate", AttributeKind::integer, false, since(19)},
                         {"round_mode", AttributeKind::text, false, since(24)}},  // of float8e8m0
          .lower = lower};
}

}  // namespace burin::cast_op
