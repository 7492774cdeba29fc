// Optional: an optional that holds the input; without one, nothing. Since opset 15.
#include "ops/api/sequences/sequence.h"

namespace burin::optional_op {
namespace {

void lower(OpContext& op) {
  Tuple tuple{Tuple::Kind::optional};
  if (op.has_input(0)) tuple.items.push_back(op.input(0));
  op.forward(0, Operand(std::move(tuple)));
}

}  // namespace

OpDef definition() {
  return {.name = "Optional",
          .since = 15,
          .inputs = {{"input", types::tensors | types::sequence, Arity::optional}},
          .outputs = {{"output"}},
          .attributes = {{"type", AttributeKind::text}},
          .lower = lower,
          .note = "whether it holds something is known while generating, or given by an If"};
}

}  // namespace burin::optional_op
