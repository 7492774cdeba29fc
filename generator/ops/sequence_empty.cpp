// SequenceEmpty: the sequence of nothing. Since opset 11.
#include "ops/api/sequences/sequence.h"

namespace burin::sequence_empty_op {
namespace {

void lower(OpContext& op) { forward_sequence(op, 0, {}); }

}  // namespace

OpDef definition() {
  return {.name = "SequenceEmpty",
          .since = 11,
          .outputs = {{"output"}},
          .attributes = {{"dtype", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::sequence_empty_op
