// RMSNormalization: every row, which is all dimensions from `axis` on, divided by its root mean
// square, then scaled. Since opset 23.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/normalization.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::rms_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), scale = op.input(1);
  const int axis = normalize_axis(op.integer("axis", -1), x.rank());
  const Type real = compute_type(stash_type(op));
  require_broadcastable(op, scale.shape(), x.shape(), "scale");
  const Operand y = op.output(0, scale.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Indices row(at.begin() + axis, at.end());
  const Dim count = product(Shape(x.shape().begin() + axis, x.shape().end()));
  const Expr element = in_type(real, x.at(at));
  const Expr square = mean_of(kernel, row, element * element, count);
  const Expr normal = element * inverse_root(square, op.real("epsilon", 1e-5));
  kernel.write(y, at, in_type(y.compute(), normal) * scale.broadcast_at(at));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "RMSNormalization",
          .since = 23,
          .inputs = {{"X", types::floats}, {"scale", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"epsilon", AttributeKind::real},
                         {"stash_type", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::rms_normalization_op
