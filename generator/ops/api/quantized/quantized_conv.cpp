#include "ops/api/quantized/quantized_conv.h"

#include "ops/api/math/convolution.h"
#include "ops/api/math/sliding_window.h"
#include "ops/api/quantized/quantize.h"

namespace burin {
namespace {

Factor centred_factor(OpContext& op, const Operand& x, int zero_input) {
  const Parameter zero = parameter_of(op, zero_input, x.shape(), 0);
  return {x, [zero](const Expr& element, const Indices& at) { return centred(element, zero(at)); }};
}

}  // namespace

void lower_q_linear_conv(OpContext& op, bool channels_last) {
  const Operand x = channels_last ? with_channels_first(op, op.input(0)) : op.input(0),
                w = op.input(3), zero = op.input(7);
  const Parameter scale_w = parameter_of(op, 4, w.shape(), 0);
  for (const int i : {1, 6, 7})
    op.require_equal(product(op.input(i).shape()), 1, "scale or zero point");
  std::function<Expr(const Indices&)> bias;
  if (op.has_input(8)) bias = bias_reader(op, 8, w.dim(0));
  map_convolution(
      op, centred_factor(op, x, 2), centred_factor(op, w, 5), zero.type(),
      [&](const Expr& sum, const Indices& at) {
        const Expr scale = op.input(1).scalar() * scale_w({at[1]}) / op.input(6).scalar();
        const Expr total = bias ? sum + bias(at) : sum;
        return quantized(Expr::cast(Type::f32, total) * scale, zero.scalar(), zero.type());
      },
      channels_last);
}

OpDef make_q_linear_conv_op(void (*lower)(OpContext&)) {
  return {.name = "QLinearConv",
          .inputs = {{"x", types::quantized8},
                     {"x_scale", types::f32},
                     {"x_zero_point", types::quantized8},
                     {"w", types::quantized8},
                     {"w_scale", types::f32},
                     {"w_zero_point", types::quantized8},
                     {"y_scale", types::f32},
                     {"y_zero_point", types::quantized8},
                     {"B", types::i32, Arity::optional}},
          .outputs = {{"y"}},
          .attributes = convolution_attributes(),
          .lower = lower};
}

}  // namespace burin
