// ConvInteger: the convolution of 8-bit tensors without their zero points, exact in i32; padding
// has the input's zero point. Since opset 10.
#include "ops/api/math/convolution.h"
#include "ops/api/quantized/quantize.h"

namespace burin::conv_integer_op {
namespace {

Factor factor_of(OpContext& op, int input, int zero_input) {
  const Operand x = op.input(input);
  const Parameter zero = optional_parameter(op, zero_input, x.shape(), 0);
  return {x, [zero](const Expr& element, const Indices& at) {
            return centred(element, zero ? zero(at) : Expr());
          }};
}

void lower(OpContext& op) {
  map_convolution(op, factor_of(op, 0, 2), factor_of(op, 1, 3), Type::i32,
                  [](const Expr& sum, const Indices&) { return sum; });
}

}  // namespace

OpDef definition() {
  return {.name = "ConvInteger",
          .since = 10,
          .inputs = {{"x", types::quantized8},
                     {"w", types::quantized8},
                     {"x_zero_point", types::quantized8, Arity::optional},
                     {"w_zero_point", types::quantized8, Arity::optional}},
          .outputs = {{"y"}},
          .attributes = convolution_attributes(),
          .lower = lower};
}

}  // namespace burin::conv_integer_op
