// Upsample: resampling by nearest neighbour (floor) or linear interpolation at o / scale. The
// scales are attributes until opset 8 and an input in opset 9; later opsets have Resize.
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "ops/api/movement/resampling.h"
#include "support/diagnostics.h"

namespace burin::upsample_op {
namespace {

std::vector<double> attribute_scales(const OpContext& op, const Operand& x) {
  if (op.version() >= 7) return op.reals("scales", {});
  if (x.rank() != 4) refuse("shape-mismatch", "the input must have rank 4");
  return {1, 1, op.real("height_scale", 1), op.real("width_scale", 1)};
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const std::string mode = op.text("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear")
    refuse("bad-attribute", "mode is " + quoted(mode));
  ResizeRule rule;
  rule.sampling = mode == "nearest" ? Sampling::nearest : Sampling::linear;
  const size_t rank = static_cast<size_t>(x.rank());
  std::vector<std::optional<double>> known;
  const bool from_input = op.version() >= 9;
  if (from_input) {
    if (!op.has_input(1)) refuse("arity", "scales are absent");
    check_list(op, op.input(1), rank, "scales");
    known = known_numbers(op, 1, rank);
  } else {
    for (const double scale : attribute_scales(op, x)) known.emplace_back(scale);
    if (known.size() != rank) {
      refuse("shape-mismatch",
             std::to_string(known.size()) + " scales for rank " + std::to_string(rank));
    }
  }
  Shape shape;
  std::vector<ResizeAxis> axes;
  for (size_t d = 0; d < rank; ++d) {
    ResizeAxis axis{static_cast<int>(d), x.shape()[d], x.shape()[d], {}, {}, {}, {}};
    const Expr scale = from_input ? op.input(1).at({Index(static_cast<int64_t>(d))})
                                  : Expr::constant(Type::f32, *known[d]);
    set_scale(op, rule, known[d], scale, axis);
    shape.push_back(axis.output);
    if (known[d] != 1.0) axes.push_back(axis);
  }
  for (const ResizeAxis& axis : axes) require_pickable(op, product(shape), axis.input);
  const Operand y = op.output(0, x.type(), shape);
  for (ResizeAxis& axis : axes) axis.output = y.dim(axis.dim);
  map_resize(op, x, y, rule, axes);
}

}  // namespace

OpDef definition() {
  return {.name = "Upsample",
          .until = 9,
          .inputs = {{"X", types::numeric | types::boolean},
                     {"scales", types::f32, Arity::required, since(9)}},
          .outputs = {{"Y"}},
          .attributes = {{"mode", AttributeKind::text},
                         {"scales", AttributeKind::reals, true, {7, 8}},
                         {"height_scale", AttributeKind::real, true, until(6)},
                         {"width_scale", AttributeKind::real, true, until(6)}},
          .lower = lower};
}

}  // namespace burin::upsample_op
