// OptionalGetElement: what an optional holds. Since opset 15; opset 18 takes what is no optional as
// it is.
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin::optional_get_element_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Tuple* tuple = x.tuple();
  if (!tuple || tuple->kind != Tuple::Kind::optional) return op.forward(0, x);
  if (tuple->bounded) {
    const Bounded& bounded = *tuple->bounded;
    if (bounded.holds) {
      op.bind(op.run_symbol("held", {1, 1}), bounded.holds.scalar());
      Bounded held = bounded;
      held.holds = {};
      return op.forward(0, to_operand(op, std::move(held)));
    }
    op.require({{length_of(bounded), 1, 2}}, "what the optional holds");
    item_at(op, bounded, 0,
            [&](Type type, Shape shape) { return op.output(0, type, std::move(shape)); });
    return;
  }
  if (tuple->items.empty()) refuse("bad-index", "the optional holds nothing");
  op.forward(0, tuple->items[0]);
}

}  // namespace

OpDef definition() {
  return {.name = "OptionalGetElement",
          .since = 15,
          .inputs = {{"input", types::optional, Arity::required, until(17)},
                     {"input", kAnything, Arity::required, since(18)}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin::optional_get_element_op
