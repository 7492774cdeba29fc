#include "ops/api/math/row.h"

namespace burin {

void map_rows(OpContext& op, const std::function<Expr(const Row&)>& f) {
  RowRule rule;
  rule.flattens = op.version() < 13;
  rule.axis = op.integer("axis", rule.flattens ? 1 : -1);
  map_rows(op, rule, f);
}

Expr softmax(const Row& row) {
  const Expr largest = row.kernel.reduce(Combiner::max, row.axes, row.element);
  const Expr power = Expr::unary(Unary::exp, row.element - largest);
  return power / row.kernel.reduce(Combiner::sum, row.axes, power);
}

void map_rows(OpContext& op, const RowRule& rule, const std::function<Expr(const Row&)>& f) {
  const Operand x = op.input(0);
  // Flattened, axis == rank is one row per element.
  const int axis =
      rule.flattens && rule.axis == x.rank() ? x.rank() : normalize_axis(rule.axis, x.rank());

  KernelBuilder kernel;
  Indices row, at;
  Shape extents;
  for (int d = 0; d < x.rank(); ++d) {
    at.push_back(kernel.axis(x.dim(d)));
    if (!(rule.flattens ? d >= axis : d == axis)) continue;
    row.push_back(at.back());
    extents.push_back(x.dim(d));
  }
  const Operand y = op.output(0, x.type(), x.shape());
  kernel.write(y, at, f({kernel, row, rule.load(x.at(at)), linearize(row, extents)}));
  op.emit(kernel);
}

}  // namespace burin
