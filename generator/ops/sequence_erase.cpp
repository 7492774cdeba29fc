// SequenceErase: a sequence without the tensor at a position, the last one by default. Since
// opset 11.
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin::sequence_erase_op {
namespace {

void lower(OpContext& op) {
  const Operand sequence = op.input(0);
  if (const std::vector<Operand>* known = sequence_items(sequence)) {
    std::vector<Operand> items = *known;
    if (items.empty()) refuse("bad-index", "the sequence is empty");
    const std::optional<size_t> place =
        op.has_input(1) ? known_position(op, 1, items.size()) : items.size() - 1;
    if (place) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(*place));
      return forward_sequence(op, 0, std::move(items));
    }
  }
  const Bounded bounded = to_bounded(op, sequence, *form_of(sequence));
  const Dim length = length_of(bounded);
  if (!op.has_input(1)) op.require({{length, 1, length + 1}}, "length of the sequence");
  const Dim place = op.has_input(1) ? position_of(op, 1, length, length) : length - 1;
  op.forward(0, to_operand(op, without_item(op, bounded, place)));
}

}  // namespace

OpDef definition() {
  return {.name = "SequenceErase",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence},
                     {"position", types::indices, Arity::optional}},
          .outputs = {{"output_sequence"}},
          .lower = lower};
}

}  // namespace burin::sequence_erase_op
