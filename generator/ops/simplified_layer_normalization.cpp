// SimplifiedLayerNormalization: what onnxruntime's exporters call RMSNormalization in the domain
// ai.onnx, at any opset; optionally also the inverse root mean square of the rows.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/normalization.h"
#include "ops/api/math/sums_of_products.h"

namespace burin::simplified_layer_normalization_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), scale = op.input(1);
  const int axis = normalize_axis(op.integer("axis", -1), x.rank());
  const Type stash = stash_type(op), real = compute_type(stash);
  require_broadcastable(op, scale.shape(), x.shape(), "scale");
  const Operand y = op.output(0, scale.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Indices row(at.begin() + axis, at.end());
  const Dim count = product(Shape(x.shape().begin() + axis, x.shape().end()));
  const Expr element = in_type(real, x.at(at));
  const Expr inverse =
      inverse_root(mean_of(kernel, row, element * element, count), op.real("epsilon", 1e-5));
  kernel.write(y, at, in_type(y.compute(), element * inverse) * scale.broadcast_at(at));
  if (op.has_output(1)) {
    Shape rows = x.shape();
    Indices to = at;
    for (size_t d = static_cast<size_t>(axis); d < rows.size(); ++d) {
      rows[d] = 1;
      to[d] = 0;
    }
    kernel.write(op.output(1, stash, rows), to, inverse);
  }
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "SimplifiedLayerNormalization",
          .inputs = {{"X", types::floats}, {"scale", types::floats}},
          .outputs = {{"Y"}, {"inv_std_var", types::floats, Arity::optional}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"epsilon", AttributeKind::real},
                         {"stash_type", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::simplified_layer_normalization_op
