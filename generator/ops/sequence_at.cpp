// SequenceAt: the tensor at a position of a sequence. Since opset 11.
#include <algorithm>

#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin::sequence_at_op {
namespace {

// A position of the run picks among tensors of one shape: a read in pieces, which copies nothing.
void pick(OpContext& op, const std::vector<Operand>& items) {
  const auto count = static_cast<int64_t>(items.size());
  op.require_equal(product(op.input(1).shape()), 1, "elements of position");
  const Dim given = op.elements(1, {-count, count - 1})[0];
  const Index place = mod(given + count, count);
  op.map(op.output(0, items[0].type(), items[0].shape()), [&](const Indices& at) {
    std::vector<Expr::Case> pieces;
    for (int64_t k = 0; k + 1 < count; ++k)
      pieces.push_back({{{place, k, k + 1}}, items[static_cast<size_t>(k)].at(at)});
    return Expr::cases(std::move(pieces), items.back().at(at));
  });
}

void lower(OpContext& op) {
  const Operand sequence = op.input(0);
  if (const std::vector<Operand>* known = sequence_items(sequence)) {
    const std::vector<Operand>& items = *known;
    if (items.empty()) refuse("bad-index", "the sequence is empty");
    if (const std::optional<size_t> place = known_position(op, 1, items.size()))
      return op.forward(0, items[*place]);
    const bool alike = std::all_of(items.begin(), items.end(), [&](const Operand& item) {
      return !item.tuple() && item.type() == items[0].type() && item.shape() == items[0].shape();
    });
    if (alike) return pick(op, items);
  }
  const Bounded bounded = to_bounded(op, sequence, *form_of(sequence));
  const Dim length = length_of(bounded), place = position_of(op, 1, length, length);
  item_at(op, bounded, place,
          [&](Type type, Shape shape) { return op.output(0, type, std::move(shape)); });
}

}  // namespace

OpDef definition() {
  return {.name = "SequenceAt",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence}, {"position", types::indices}},
          .outputs = {{"tensor"}},
          .lower = lower};
}

}  // namespace burin::sequence_at_op
