#include "ops/api/row.h"

namespace burin {

void map_rows(OpContext& op, const std::function<Expr(const Row&)>& f) {
  const Operand x = op.input(0);
  const bool flattens = op.version() < 13;
  const int64_t given = op.integer("axis", flattens ? 1 : -1);
  // Before opset 13, axis == rank is one row per element.
  const int axis = flattens && given == x.rank() ? x.rank() : normalize_axis(given, x.rank());

  KernelBuilder kernel;
  Indices row, at;
  Shape extents;
  for (int d = 0; d < x.rank(); ++d) {
    at.push_back(kernel.axis(x.dim(d)));
    if (!(flattens ? d >= axis : d == axis)) continue;
    row.push_back(at.back());
    extents.push_back(x.dim(d));
  }
  const Operand y = op.output(0, x.type(), x.shape());
  kernel.write(y, at, f({kernel, row, x.at(at), linearize(row, extents)}));
  op.emit(kernel);
}

}  // namespace burin
