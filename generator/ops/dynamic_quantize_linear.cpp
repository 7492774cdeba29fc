// DynamicQuantizeLinear: u8 with a scale and zero point that make the range of x, widened to hold
// 0, fill 0 .. 255. Since opset 11.
#include "ops/api/core/op_def.h"
#include "ops/api/quantized/dynamic_quantize.h"
#include "ops/api/quantized/quantize.h"

namespace burin::dynamic_quantize_linear_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, Type::u8, x.shape());
  const Operand scale = op.output(1, Type::f32, {}), zero = op.output(2, Type::u8, {});
  fit_range(op, x, scale, zero);
  op.map(y, [&](const Indices& at) {
    return quantized(x.at(at) / scale.scalar(), zero.scalar(), Type::u8);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "DynamicQuantizeLinear",
          .since = 11,
          .inputs = {{"x", types::f32}},
          .outputs = {{"y"}, {"y_scale"}, {"y_zero_point"}},
          .lower = lower,
          .converts = true};
}

}  // namespace burin::dynamic_quantize_linear_op
