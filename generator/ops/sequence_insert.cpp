// SequenceInsert: a sequence with one more tensor, in front of a position or at the end. Since
// opset 11.
#include "ops/api/sequence.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  std::vector<Operand> items = sequence_items(op, 0);
  // The end is a place too; -1 is the last tensor all the same.
  size_t place = items.size();
  if (op.has_input(2)) {
    const std::optional<std::vector<Dim>> known = op.known(2);
    const bool at_end =
        known && known->size() == 1 && (*known)[0].is_constant(static_cast<int64_t>(items.size()));
    if (!at_end) place = known_position(op, 2, items.size());
  }
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(place), op.input(1));
  forward_sequence(op, 0, std::move(items));
}

}  // namespace

OpDef op_sequence_insert() {
  return {.name = "SequenceInsert",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence},
                     {"tensor"},
                     {"position", types::indices, Arity::optional}},
          .outputs = {{"output_sequence"}},
          .lower = lower,
          .note = "the position is known while generating"};
}

}  // namespace burin
