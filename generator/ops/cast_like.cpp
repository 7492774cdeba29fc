// CastLike: the numbers of the first input in the element type of the second. Since opset 15.
#include "ops/api/core/op_def.h"
#include "ops/api/math/cast_to.h"

namespace burin::cast_like_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Type to = op.input(1).type();
  cast_to(op, x, to);
}

}  // namespace

OpDef definition() {
  return {.name = "CastLike",
          .since = 15,
          .inputs = {{"input", types::tensors}, {"target_type", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"saturate", AttributeKind::integer, false, since(19)},
                         {"round_mode", AttributeKind::text, false, since(24)}},  // of float8e8m0
          .lower = lower,
          .converts = true};
}

}  // namespace burin::cast_like_op
