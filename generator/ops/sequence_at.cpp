// SequenceAt: the tensor at a position of a sequence. A position that only the run knows picks
// among tensors of one type and shape. Since opset 11.
#include <algorithm>

#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const std::vector<Operand> items = sequence_items(op, 0);
  if (items.empty()) refuse("bad-index", "the sequence is empty");
  const std::optional<std::vector<Dim>> known = op.known(1);
  const bool alike = std::all_of(items.begin(), items.end(), [&](const Operand& item) {
    return !item.tuple() && item.type() == items[0].type() && item.shape() == items[0].shape();
  });
  if ((known && known->size() == 1 && (*known)[0].is_constant()) || !alike) {
    op.forward(0, items[known_position(op, 1, items.size())]);
    return;
  }
  op.require_equal(product(op.input(1).shape()), 1, "elements of position");
  const auto count = static_cast<int64_t>(items.size());
  const Dim given = op.elements(1, {-count, count - 1})[0];
  const Index place = mod(given + count, count);
  op.map(op.output(0, items[0].type(), items[0].shape()), [&](const Indices& at) {
    std::vector<Expr::Case> pieces;
    for (int64_t k = 0; k + 1 < count; ++k)
      pieces.push_back({{{place, k, k + 1}}, items[static_cast<size_t>(k)].at(at)});
    return Expr::cases(std::move(pieces), items.back().at(at));
  });
}

}  // namespace

OpDef op_sequence_at() {
  return {.name = "SequenceAt",
          .since = 11,
          .inputs = {{"input_sequence", types::sequence}, {"position", types::indices}},
          .outputs = {{"tensor"}},
          .lower = lower,
          .note = "a position of the run picks among tensors of one shape"};
}

}  // namespace burin
