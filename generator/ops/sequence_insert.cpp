// SequenceInsert: a sequence with one more tensor, in front of a position or at the end. Since
// opset 11.
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"

namespace burin::sequence_insert_op {
namespace {

// The place in a sequence of `length` that is known before the run. The end is a place too; -1 is
// the last tensor all the same.
std::optional<size_t> known_place(OpContext& op, size_t length) {
  if (!op.has_input(2)) return length;
  const std::optional<std::vector<Dim>> known = op.known(2);
  const bool at_end =
      known && known->size() == 1 && (*known)[0].is_constant(static_cast<int64_t>(length));
  return at_end ? length : known_position(op, 2, length);
}

void lower(OpContext& op) {
  const Operand sequence = op.input(0), item = op.input(1);
  if (const std::vector<Operand>* known = sequence_items(sequence)) {
    if (const std::optional<size_t> place = known_place(op, known->size())) {
      std::vector<Operand> items = *known;
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(*place), item);
      return forward_sequence(op, 0, std::move(items));
    }
  }
  const auto place = [&](const Dim& length) {
    return op.has_input(2) ? position_of(op, 2, length, length + 1) : length;
  };
  op.forward(0, to_operand(op, with_item(op, sequence, item, place)));
}

}  // namespace

OpDef definition() {
  return {.name = "SequenceInsert",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence},
                     {"tensor", types::tensors},
                     {"position", types::indices, Arity::optional}},
          .outputs = {{"output_sequence"}},
          .lower = lower};
}

}  // namespace burin::sequence_insert_op
