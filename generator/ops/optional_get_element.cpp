// OptionalGetElement: what an optional holds. Since opset 15; opset 18 takes what is no optional as
// it is.
#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (!x.tuple() || x.tuple()->kind != Tuple::Kind::optional) {
    op.forward(0, x);
    return;
  }
  if (x.tuple()->items.empty()) refuse("bad-index", "the optional holds nothing");
  op.forward(0, x.tuple()->items[0]);
}

}  // namespace

OpDef op_optional_get_element() {
  return {.name = "OptionalGetElement",
          .since = 15,
          .inputs = {{"input", types::optional, Arity::required, until(17)},
                     {"input", kAnything, Arity::required, since(18)}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin
