// SequenceMap: a nested graph applied to the tensors of a sequence, one after the other; further
// sequences go along, tensors are the same every time. Since opset 17.
#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const Block& body = op.block("body");
  const size_t length = sequence_items(op, 0).size();
  std::vector<std::vector<Operand>> results(static_cast<size_t>(op.output_count()));
  if (body.outputs.size() < results.size()) {
    refuse("arity", "the body gives " + std::to_string(body.outputs.size()) +
                        " values, the node has " + std::to_string(results.size()));
  }
  for (size_t k = 0; k < length; ++k) {
    std::vector<Operand> arguments;
    for (int i = 0; i < op.input_count(); ++i) {
      arguments.push_back(op.input(i));
      const Tuple* tuple = arguments.back().tuple();
      if (!tuple) continue;
      if (tuple->items.size() != length) {
        refuse("shape-mismatch", "sequences of " + std::to_string(length) + " and " +
                                     std::to_string(tuple->items.size()) + " tensors");
      }
      arguments.back() = Operand(tuple->items[k]);
    }
    const std::vector<Operand> each = op.inline_block(body, arguments);
    for (size_t i = 0; i < results.size(); ++i) results[i].push_back(each[i]);
  }
  for (size_t i = 0; i < results.size(); ++i)
    forward_sequence(op, static_cast<int>(i), std::move(results[i]));
}

}  // namespace

OpDef op_sequence_map() {
  return {.name = "SequenceMap",
          .since = 17,
          .inputs = {{"input_sequence", types::sequence},
                     {"additional_inputs", types::all | types::sequence, Arity::variadic}},
          .outputs = {{"out_sequence", types::all, Arity::variadic}},
          .attributes = {{"body", AttributeKind::block, true}},
          .lower = lower};
}

}  // namespace burin
