// Cast: the same numbers in another element type. Floats to integers truncate, integers wrap,
// anything but zero is true; float8 targets clip to their range when saturate is 1 (since opset
// 19). Until opset 5 the type is given by name. Strings are not supported.
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/math/cast_to.h"

namespace burin::cast_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Type to =
      op.version() < 6 ? type_of_onnx(op.text("to", "")) : type_of_onnx(op.integer("to"));
  cast_to(op, x, to);
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
          .lower = lower,
          .converts = true};
}

}  // namespace burin::cast_op
