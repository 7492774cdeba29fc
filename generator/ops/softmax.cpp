// Softmax: y = exp(x - max) / sum exp(x - max) along one axis (opset 13 on), or over all dimensions
// from `axis` on, flattened (before).
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, x.type(), x.shape());
  const bool flattens = op.version() < 13;
  const int64_t given = op.integer("axis", flattens ? 1 : -1);
  // Before opset 13, axis == rank is one row per element.
  const int axis = flattens && given == x.rank() ? x.rank() : normalize_axis(given, x.rank());

  KernelBuilder kernel;
  Indices row, at;
  for (int d = 0; d < x.rank(); ++d) {
    const bool reduced = flattens ? d >= axis : d == axis;
    at.push_back(kernel.axis(x.dim(d)));
    if (reduced) row.push_back(at.back());
  }
  const Expr shifted_by = kernel.reduce(Combiner::max, row, x.at(at));
  const Expr total =
      kernel.reduce(Combiner::sum, row, Expr::unary(Unary::exp, x.at(at) - shifted_by));
  kernel.write(y, at, Expr::unary(Unary::exp, x.at(at) - shifted_by) / total);
  op.emit(kernel);
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
