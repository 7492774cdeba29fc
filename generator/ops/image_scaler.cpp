// ImageScaler: scale * x plus a number for each channel. Retired before opset 9; exporters of that
// time wrote it in front of image networks.
#include "kernel/tensor.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::image_scaler_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 4) refuse("shape-mismatch", "input has rank " + std::to_string(x.rank()));
  const std::vector<double> bias = op.reals("bias", {});
  const auto channels = static_cast<int64_t>(bias.size());
  op.require_equal(x.dim(1), channels, "channels and the entries of bias");
  const double scale = op.real("scale", 1);
  const HostTensor host = make_tensor(Type::f32, {channels}, bias);
  const Operand b = op.constant_operand("bias", {host.type, host.shape, to_constant(host), {}});
  op.map(op.output(0, x.type(), x.shape()), [&](const Indices& at) {
    return x.at(at) * scale + Expr::cast(x.compute(), b.at({at[1]}));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "ImageScaler",
          .inputs = {{"input", types::floats}},
          .outputs = {{"output"}},
          .attributes = {{"bias", AttributeKind::reals}, {"scale", AttributeKind::real}},
          .lower = lower};
}

}  // namespace burin::image_scaler_op
