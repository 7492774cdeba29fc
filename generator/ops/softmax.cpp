// Softmax: y = exp(x - max) / sum exp(x - max) along a row.
#include "ops/api/op_def.h"
#include "ops/api/row.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  map_rows(op, [](const Row& row) {
    const Expr largest = row.kernel.reduce(Combiner::max, row.axes, row.element);
    const Expr power = Expr::unary(Unary::exp, row.element - largest);
    return power / row.kernel.reduce(Combiner::sum, row.axes, power);
  });
}

}  // namespace

OpDef op_softmax() {
  return {.name = "Softmax",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin
