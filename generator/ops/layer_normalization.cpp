// LayerNormalization: every row, which is all dimensions from `axis` on, normalised to mean 0 and
// variance 1, then scaled and shifted. Optionally the mean and the inverse deviation of the rows.
// Since opset 17.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/normalization.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::layer_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), scale = op.input(1);
  const int axis = normalize_axis(op.integer("axis", -1), x.rank());
  const Type stash = stash_type(op), real = compute_type(stash);
  require_broadcastable(op, scale.shape(), x.shape(), "Scale");
  if (op.has_input(2)) require_broadcastable(op, op.input(2).shape(), x.shape(), "B");
  const Operand y = op.output(0, x.type(), x.shape());

  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Indices row(at.begin() + axis, at.end());
  const Dim count = product(Shape(x.shape().begin() + axis, x.shape().end()));
  const Expr element = in_type(real, x.at(at));
  const Moments moments = moments_of(kernel, row, element, count);
  const Expr inverse = inverse_root(moments.variance, op.real("epsilon", 1e-5));
  Expr value = in_type(y.compute(), (element - moments.mean) * inverse) *
               in_type(y.compute(), scale.broadcast_at(at));
  if (op.has_input(2)) value = value + in_type(y.compute(), op.input(2).broadcast_at(at));
  kernel.write(y, at, value);

  Shape rows = x.shape();
  Indices to = at;
  for (size_t d = static_cast<size_t>(axis); d < rows.size(); ++d) {
    rows[d] = 1;
    to[d] = 0;
  }
  if (op.has_output(1)) kernel.write(op.output(1, stash, rows), to, moments.mean);
  if (op.has_output(2)) kernel.write(op.output(2, stash, rows), to, inverse);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "LayerNormalization",
          .inputs = {{"X", types::floats},
                     {"Scale", types::floats},
                     {"B", types::floats, Arity::optional}},
          .outputs = {{"Y"},
                      {"Mean", types::floats, Arity::optional},
                      {"InvStdDev", types::floats, Arity::optional}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"epsilon", AttributeKind::real},
                         {"stash_type", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::layer_normalization_op
