// SequenceErase: a sequence without the tensor at a position, the last one by default. Since
// opset 11.
#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  std::vector<Operand> items = sequence_items(op, 0);
  if (items.empty()) refuse("bad-index", "the sequence is empty");
  const size_t place = op.has_input(1) ? known_position(op, 1, items.size()) : items.size() - 1;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  forward_sequence(op, 0, std::move(items));
}

}  // namespace

OpDef op_sequence_erase() {
  return {.name = "SequenceErase",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence},
                     {"position", types::indices, Arity::optional}},
          .outputs = {{"output_sequence"}},
          .lower = lower,
          .note = "the position is known while generating"};
}

}  // namespace burin
