#include "ops/api/sequences/sequence.h"

#include "kernel/tensor.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {

const std::vector<Operand>* sequence_items(const Operand& sequence) {
  const Tuple* tuple = sequence.tuple();
  BURIN_CHECK(tuple && tuple->kind == Tuple::Kind::sequence);
  return tuple->bounded ? nullptr : &tuple->items;
}

void forward_sequence(OpContext& op, int i, std::vector<Operand> items) {
  op.forward(i, Operand(Tuple{Tuple::Kind::sequence, std::move(items)}));
}

std::optional<size_t> known_position(OpContext& op, int i, size_t count) {
  const Operand position = op.input(i);
  op.require_equal(product(position.shape()), 1, "elements of position");
  const std::optional<std::vector<Dim>> known = op.known(i);
  if (!known || !(*known)[0].is_constant()) return std::nullopt;
  const int64_t given = (*known)[0].constant(), length = static_cast<int64_t>(count);
  if (given < -length || given >= length) {
    refuse("bad-index", "position " + std::to_string(given) + " in a sequence of " +
                            std::to_string(length) + " places");
  }
  return static_cast<size_t>(given < 0 ? given + length : given);
}

Operand constant_scalar(OpContext& op, std::string_view what, Type type, int64_t value) {
  const HostTensor host = make_tensor(type, {}, std::vector<int64_t>{value});
  return op.constant_operand(what, {host.type, host.shape, to_constant(host), {}});
}

}  // namespace burin
