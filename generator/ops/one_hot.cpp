// OneHot: a new dimension of depth at axis, on_value where its coordinate is the index and
// off_value elsewhere; indices outside [-depth, depth) give off_value everywhere. Since opset 9.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "support/diagnostics.h"

namespace burin::one_hot_op {
namespace {

Dim depth_of(OpContext& op) {
  const Operand depth = op.input(1);
  op.require_equal(product(depth.shape()), 1, "elements of depth");
  if (const std::optional<double> value = scalar_constant(op, 1)) {
    if (!(*value >= 0 && *value < 9e15))
      refuse("shape-mismatch", "depth is " + std::to_string(*value));
    return static_cast<int64_t>(*value);
  }
  const Dim known = op.elements(1, {0, kUnbounded})[0];
  if (proven_lt(known, 0)) refuse("shape-mismatch", "depth is " + to_string(known));
  return known;
}

void lower(OpContext& op) {
  const Operand indices = op.input(0), values = op.input(2);
  op.require_equal(product(values.shape()), 2, "elements of values");
  if (values.rank() != 1) refuse("shape-mismatch", "values must be a list");
  const int axis = normalize_axis(op.integer("axis", -1), indices.rank() + 1);
  const Dim depth = depth_of(op);
  Shape shape = indices.shape();
  shape.insert(shape.begin() + axis, depth);
  const Operand y = op.output(0, values.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from = at;
    from.erase(from.begin() + axis);
    const Expr raw = Expr::cast(Type::i64, indices.at(std::move(from)));
    const Expr negative = compare(Binary::lt, raw, Expr::constant(Type::i64, 0));
    const Expr index = Expr::select(negative, raw + Expr::index(depth), raw);
    const Expr hit = compare(Binary::eq, index, Expr::index(at[static_cast<size_t>(axis)]));
    return Expr::select(hit, values.at({Index(1)}), values.at({Index(0)}));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "OneHot",
          .since = 9,
          .inputs = {{"indices", types::numeric},
                     {"depth", types::numeric},
                     {"values", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::one_hot_op
