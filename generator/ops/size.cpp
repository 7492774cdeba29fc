// Size: the number of elements of a tensor, an i64 scalar.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::size_op {
namespace {

void lower(OpContext& op) {
  const Dim count = product(op.input(0).shape());
  const Operand y = op.output(0, Type::i64, {});
  op.map(y, [&](const Indices&) { return Expr::index(count); });
  op.set_known(0, {count});
}

}  // namespace

OpDef definition() {
  return {.name = "Size", .inputs = {{"data", types::tensors}}, .outputs = {{"size"}}, .lower = lower};
}

}  // namespace burin::size_op
