// LogSoftmax: y = x - max - log(sum exp(x - max)) along a row.
#include "ops/api/core/op_def.h"
#include "ops/api/math/row.h"

namespace burin::log_softmax_op {
namespace {

void lower(OpContext& op) {
  map_rows(op, [](const Row& row) {
    const Expr shifted = row.element - row.kernel.reduce(Combiner::max, row.axes, row.element);
    const Expr total = row.kernel.reduce(Combiner::sum, row.axes, Expr::unary(Unary::exp, shifted));
    return shifted - Expr::unary(Unary::log, total);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "LogSoftmax",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::log_softmax_op
