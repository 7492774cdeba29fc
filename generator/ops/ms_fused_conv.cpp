// com.microsoft FusedConv: activation(conv(X, W) + B + Z).
#include "ops/api/math/convolution.h"
#include "ops/api/math/fused.h"
#include "support/diagnostics.h"

namespace burin::ms_fused_conv_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), w = op.input(1);
  normalize_axis(2, w.rank(), "spatial dimension of W");
  for (int i = 1; i < op.input_count(); ++i) {
    if (op.has_input(i) && op.input(i).type() != x.type())
      refuse("type-mismatch", "X, W, B and Z must have one type");
  }
  const std::optional<Activation> activation = fused_activation(op);
  std::function<Expr(const Indices&)> bias;
  if (op.has_input(2)) bias = bias_reader(op, 2, w.dim(0));
  if (op.has_input(3)) normalize_axis(x.rank() - 1, op.input(3).rank(), "dimension of Z");
  map_convolution(op, {x}, {w}, x.type(), [&](const Expr& sum, const Indices& at) {
    Expr value = bias ? sum + bias(at) : sum;
    if (op.has_input(3)) value = value + op.input(3).broadcast_at(at);
    return activation ? (*activation)(value) : value;
  });
}

}  // namespace

OpDef definition() {
  OpDef def{.name = "FusedConv",
            .inputs = {{"X", types::floats},
                       {"W", types::floats},
                       {"B", types::floats, Arity::optional},
                       {"Z", types::floats, Arity::optional}},
            .outputs = {{"Y"}},
            .attributes = convolution_attributes(),
            .lower = lower};
  for (const AttributeDef& attribute : fused_activation_attributes())
    def.attributes.push_back(attribute);
  return ms_op(std::move(def));
}

}  // namespace burin::ms_fused_conv_op
