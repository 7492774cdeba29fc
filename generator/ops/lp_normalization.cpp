// LpNormalization: x / norm along an axis, with the norm of order p = 1 or 2; a row of zeros stays.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::lp_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int axis = normalize_axis(op.integer("axis", -1), x.rank());
  const int64_t order = op.integer("p", 2);
  if (order != 1 && order != 2) refuse("bad-attribute", "p is " + std::to_string(order));
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Indices row = {at[static_cast<size_t>(axis)]};
  const Expr element = x.at(at);
  const Expr size = order == 1 ? Expr::unary(Unary::abs, element) : element * element;
  const Expr sum = kernel.reduce(Combiner::sum, row, size);
  const Expr norm = order == 1 ? sum : Expr::unary(Unary::sqrt, sum);
  const Expr zero = compare(Binary::eq, norm, y.zero());
  kernel.write(y, at, Expr::select(zero, y.zero(), element / norm));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "LpNormalization",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}, {"p", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::lp_normalization_op
