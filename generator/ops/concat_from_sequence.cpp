// ConcatFromSequence: the tensors of a sequence one after the other along axis, or side by side
// along a new one. Since opset 11.
#include "ops/api/join.h"
#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const std::vector<Operand> parts = sequence_items(op, 0);
  if (parts.empty()) refuse("shape-mismatch", "the sequence is empty");
  const bool fresh = op.integer("new_axis", 0) != 0;
  const int rank = parts[0].rank() + (fresh ? 1 : 0);
  const int axis = normalize_axis(op.integer("axis"), rank);
  const Type type = parts[0].type();
  if (fresh) {
    map_stacked(op, op.output(0, type, stacked_shape(op, parts, axis)), parts, axis);
  } else {
    map_concatenated(op, op.output(0, type, concatenated_shape(op, parts, axis)), parts, axis);
  }
}

}  // namespace

OpDef op_concat_from_sequence() {
  return {
      .name = "ConcatFromSequence",
      .since = 11,
      .inputs = {{"input_sequence", types::sequence}},
      .outputs = {{"concat_result"}},
      .attributes = {{"axis", AttributeKind::integer, true}, {"new_axis", AttributeKind::integer}},
      .lower = lower};
}

}  // namespace burin
