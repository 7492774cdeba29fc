// SequenceLength: the number of tensors in a sequence, a constant. Since opset 11.
#include "ops/api/sequence.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const auto length = static_cast<int64_t>(sequence_items(op, 0).size());
  op.forward(0, constant_scalar(op, "length", Type::i64, length));
}

}  // namespace

OpDef op_sequence_length() {
  return {.name = "SequenceLength",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence}},
          .outputs = {{"length"}},
          .lower = lower};
}

}  // namespace burin
