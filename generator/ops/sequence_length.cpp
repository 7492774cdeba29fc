// SequenceLength: the number of tensors in a sequence. Since opset 11.
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"

namespace burin::sequence_length_op {
namespace {

void lower(OpContext& op) {
  const Dim length = length_of(op.input(0));
  if (length.is_constant())
    return op.forward(0, constant_scalar(op, "length", Type::i64, length.constant()));
  op.map(op.output(0, Type::i64, {}), [&](const Indices&) { return Expr::index(length); });
  op.set_known(0, {length});
}

}  // namespace

OpDef definition() {
  return {.name = "SequenceLength",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence}},
          .outputs = {{"length"}},
          .lower = lower};
}

}  // namespace burin::sequence_length_op
