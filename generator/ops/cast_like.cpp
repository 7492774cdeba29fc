// CastLike: the numbers of the first input in the element type of the second. Since opset 15.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"

namespace burin::cast_like_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Type to = op.input(1).type();
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
  return {.name = "CastLike",
          .since = 15,
          .inputs = {{"input"}, {"target_type"}},
          .outputs = {{"output"}},
          .attributes = {{"saturate", AttributeKind::integer, false, since(19)},
                         {"round_mode", AttributeKind::text, false, since(24)}},  // of float8e8m0
          .lower = lower};
}

}  // namespace burin::cast_like_op
