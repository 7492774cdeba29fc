// Squeeze: the dimensions in axes, which must be 1, are dropped; without axes, every dimension that
// is 1. axes is an input since opset 13, whose contents may be known only to the run.
#include "ops/api/movement.h"
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "ops/api/run_axes.h"
#include "support/diagnostics.h"

namespace burin::squeeze_op {
namespace {

void drop_run_axes(OpContext& op, const Operand& x, const RunAxes& axes) {
  if (axes.count > x.rank()) refuse("shape-mismatch", "there are more axes than dimensions");
  const std::vector<Dim> marks = marked(op, axes, x.rank());
  for (int d = 0; d < x.rank(); ++d) {
    const Dim& mark = marks[static_cast<size_t>(d)];
    op.require({{mark * (x.dim(d) - 1), 0, 1}}, "squeezed dimension " + std::to_string(d));
  }
  const Shape shape = without_marked(op, x.shape(), marks, axes.count);
  op.require_equal(product(shape), product(x.shape()), "number of elements");
  map_reshape(op, x, shape);
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (const std::optional<RunAxes> run = run_axes(op, 1)) return drop_run_axes(op, x, *run);
  const std::optional<std::vector<int64_t>> axes = constant_list(op, "axes", 1);
  std::vector<bool> dropped(static_cast<size_t>(x.rank()));
  if (axes) {
    for (const int axis : normalize_axes(*axes, x.rank())) {
      op.require_equal(x.dim(axis), 1, "squeezed dimension");
      dropped[static_cast<size_t>(axis)] = true;
    }
  } else {
    for (int d = 0; d < x.rank(); ++d) {
      if (!x.dim(d).is_constant() && !proven_ne(x.dim(d), 1)) {
        refuse("dynamic-shape",
               "dimension " + std::to_string(d) + " is " + to_string(x.dim(d)) +
                   ", which may be 1, and axes are not given",
               "give the axes");
      }
      dropped[static_cast<size_t>(d)] = x.dim(d).is_constant(1);
    }
  }
  std::vector<int> kept;
  for (int d = 0; d < x.rank(); ++d) {
    if (!dropped[static_cast<size_t>(d)]) kept.push_back(d);
  }
  map_dimensions(op, x, kept);
}

}  // namespace

OpDef definition() {
  return {.name = "Squeeze",
          .inputs = {{"data"}, {"axes", types::i64, Arity::optional, since(13)}},
          .outputs = {{"squeezed"}},
          .attributes = {{"axes", AttributeKind::integers, false, until(12)}},
          .lower = lower};
}

}  // namespace burin::squeeze_op
