// OptionalHasElement: whether an optional holds something. Since opset 15; opset 18 takes what is
// no optional, and nothing at all.
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"

namespace burin::optional_has_element_op {
namespace {

void lower(OpContext& op) {
  bool holds = op.has_input(0);
  if (holds) {
    const Operand x = op.input(0);
    const Tuple* tuple = x.tuple();
    if (tuple && tuple->bounded) {
      const Bounded& bounded = *tuple->bounded;
      const Expr held = bounded.holds ? bounded.holds.scalar() : Expr::index(length_of(bounded));
      return op.map(op.output(0, Type::boolean, {}), [&](const Indices&) {
        return compare(Binary::gt, held, Expr::constant(Type::i64, 0));
      });
    }
    holds = !tuple || tuple->kind != Tuple::Kind::optional || !tuple->items.empty();
  }
  op.forward(0, constant_scalar(op, "holds", Type::boolean, holds ? 1 : 0));
}

}  // namespace

OpDef definition() {
  return {.name = "OptionalHasElement",
          .since = 15,
          .inputs = {{"input", types::optional, Arity::required, until(17)},
                     {"input", kAnything, Arity::optional, since(18)}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin::optional_has_element_op
