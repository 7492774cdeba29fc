// MaxRoiPool: the largest element in each cell of a grid over regions of a feature map. Borders of
// regions are rounded to elements, those of cells outwards; a cell outside the map gives zero.
#include <limits>

#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::max_roi_pool_op {
namespace {

Expr real(const Index& i) { return Expr::cast(Type::f32, Expr::index(i)); }

void lower(OpContext& op) {
  const Operand x = op.input(0), rois = op.input(1);
  if (x.rank() != 4 || rois.rank() != 2)
    refuse("shape-mismatch", "X and rois must have ranks 4 and 2");
  op.require_equal(rois.dim(1), 5, "numbers of a region");
  const std::vector<int64_t> cells = op.integers("pooled_shape");
  if (cells.size() != 2 || cells[0] < 1 || cells[1] < 1)
    refuse("bad-attribute", "pooled_shape must be two positive numbers");
  const double scale = op.real("spatial_scale", 1);
  require_pickable(op, rois.dim(0), x.dim(0));
  const Operand y = op.output(0, x.type(), {rois.dim(0), x.dim(1), cells[0], cells[1]});

  KernelBuilder kernel;
  const Indices at = kernel.axes(y.shape());
  const Index row = kernel.reduce_axis(x.dim(2), "row");
  const Index column = kernel.reduce_axis(x.dim(3), "column");
  // Whether element `place` belongs to cell number `cell` of a region between corner entries
  // `begin` and `begin` + 2.
  const auto covers = [&](const Index& place, const Index& cell, int64_t begin, int64_t count) {
    const auto corner = [&](int64_t entry) {
      const Expr exact = Expr::cast(Type::f32, rois.at({at[0], entry})) * scale;
      return Expr::unary(Unary::floor, exact + 0.5);
    };
    const Expr start = corner(begin);
    const Expr extent = max(corner(begin + 2) - start + 1.0, Expr::constant(Type::f32, 1));
    const Expr size = extent / static_cast<double>(count);
    const Expr first = start + Expr::unary(Unary::floor, real(cell) * size);
    const Expr end = start + Expr::unary(Unary::ceil, real(cell + 1) * size);
    return Expr::binary(Binary::logical_and, compare(Binary::ge, real(place), first),
                        compare(Binary::lt, real(place), end));
  };
  const Expr inside = Expr::binary(Binary::logical_and, covers(row, at[2], 2, cells[0]),
                                   covers(column, at[3], 1, cells[1]));
  const Index batch = data_index(rois.at({at[0], Index(0)}), x.dim(0));
  const Expr least = x.constant(-std::numeric_limits<double>::infinity());
  const Expr element = Expr::select(inside, x.at({batch, at[1], row, column}), least);
  const Expr largest = kernel.reduce(Combiner::max, {row, column}, element);
  kernel.write(y, at, Expr::select(compare(Binary::eq, largest, least), x.zero(), largest));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "MaxRoiPool",
          .inputs = {{"X", types::floats}, {"rois", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"pooled_shape", AttributeKind::integers, true},
                         {"spatial_scale", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::max_roi_pool_op
