// AffineGrid: the grid of GridSample that an affine map theta gives, for an output of the given
// size [N, C, spatial...]. Since opset 20.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::affine_grid_op {
namespace {

void lower(OpContext& op) {
  const Operand theta = op.input(0);
  if (theta.rank() != 3) refuse("shape-mismatch", "theta has rank " + std::to_string(theta.rank()));
  if (!product(op.input(1).shape()).is_constant())
    refuse("dynamic-shape", "the number of entries of size is not known before the run");
  const std::vector<Dim> size = op.elements(1, {0, kUnbounded});
  if (size.size() != 4 && size.size() != 5)
    refuse("shape-mismatch", "size has " + std::to_string(size.size()) + " entries");
  const int64_t spatial = static_cast<int64_t>(size.size()) - 2;
  op.require_equal(theta.dim(0), size[0], "batch of theta");
  op.require_equal(theta.dim(1), spatial, "rows of theta");
  op.require_equal(theta.dim(2), spatial + 1, "columns of theta");
  const bool align = op.integer("align_corners", 0) != 0;
  Shape shape = {size[0]};
  shape.insert(shape.end(), size.begin() + 2, size.end());
  shape.emplace_back(spatial);
  const Operand y = op.output(0, theta.type(), shape);
  op.map(y, [&](const Indices& at) {
    const auto real = [&](const Index& i) { return Expr::cast(y.compute(), Expr::index(i)); };
    Expr sum = theta.at({at[0], at.back(), spatial});
    for (int64_t k = 0; k < spatial; ++k) {
      // Column 0 is the last spatial dimension.
      const size_t d = static_cast<size_t>(spatial - k);
      const Dim& extent = shape[d];
      const Expr place = align ? real(at[d] * 2 - (extent - 1)) / real(max(extent - 1, 1))
                               : real(at[d] * 2 + 1 - extent) / real(extent);
      sum = sum + theta.at({at[0], at.back(), k}) * place;
    }
    return sum;
  });
}

}  // namespace

OpDef definition() {
  return {.name = "AffineGrid",
          .since = 20,
          .inputs = {{"theta", types::floats}, {"size", types::i64}},
          .outputs = {{"grid"}},
          .attributes = {{"align_corners", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::affine_grid_op
