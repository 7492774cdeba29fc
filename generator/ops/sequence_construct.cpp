// SequenceConstruct: the sequence of the inputs. Since opset 11.
#include "ops/api/sequences/sequence.h"

namespace burin::sequence_construct_op {
namespace {

void lower(OpContext& op) {
  std::vector<Operand> items;
  for (int i = 0; i < op.input_count(); ++i) items.push_back(op.input(i));
  forward_sequence(op, 0, std::move(items));
}

}  // namespace

OpDef definition() {
  return {.name = "SequenceConstruct",
          .since = 11,
          .inputs = {{"inputs", types::tensors, Arity::variadic}},
          .outputs = {{"output_sequence"}},
          .lower = lower,
          .note = "the length of a sequence is known while generating"};
}

}  // namespace burin::sequence_construct_op
