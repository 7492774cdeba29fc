// EyeLike: ones where column - row = k, zeros elsewhere, in the shape of a matrix. Since opset 9.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "support/diagnostics.h"

namespace burin::eye_like_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 2)
    refuse("shape-mismatch",
           "the input has shape " + to_string(x.shape()) + "; it must be a matrix");
  const Type type = op.has("dtype") ? type_of_onnx(op.integer("dtype")) : x.type();
  const int64_t k = op.integer("k", 0);
  if (k < lowest(Type::i32) || k > highest(Type::i32))
    refuse("bad-attribute", "k is " + std::to_string(k));
  const Operand y = op.output(0, type, x.shape());
  op.map(y, [&](const Indices& at) {
    return Expr::cases({{{{at[1] - at[0], k, k + 1}}, y.constant(1)}}, y.zero());
  });
}

}  // namespace

OpDef definition() {
  return {.name = "EyeLike",
          .since = 9,
          .inputs = {{"input"}},
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer}, {"k", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::eye_like_op
