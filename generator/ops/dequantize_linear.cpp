// DequantizeLinear: (x - zero_point) * scale, with one scale, one per coordinate along axis (since
// opset 13) or one per block of them (since opset 21).
#include "ops/api/contraction.h"
#include "ops/api/quantize.h"
#include "ops/api/scalars.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int64_t axis = op.integer("axis", 1);
  const int64_t block = op.integer("block_size", 0), given = op.integer("output_dtype", 0);
  if (block < 0) refuse("bad-attribute", "block_size is " + std::to_string(block));
  if (op.has_input(2) && op.input(2).type() != x.type())
    refuse("type-mismatch", "x and its zero point must have one type");
  const Parameter scale = parameter_of(op, 1, x.shape(), axis, block);
  const Parameter zero = optional_parameter(op, 2, x.shape(), axis, block);
  const Operand y = op.output(0, given == 0 ? op.input(1).type() : type_of_onnx(given), x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr number = centred(x.at(at), zero ? zero(at) : Expr());
    const Expr step = scale(at);
    return in_type(y.compute(), in_type(step.type(), number) * step);
  });
}

}  // namespace

OpDef op_dequantize_linear() {
  return {.name = "DequantizeLinear",
          .since = 10,
          .inputs = {{"x", types::quantized | types::i32},
                     {"x_scale", types::floats},
                     {"x_zero_point", types::quantized | types::i32, Arity::optional}},
          .outputs = {{"y"}},
          .attributes = {{"axis", AttributeKind::integer, false, since(13)},
                         {"block_size", AttributeKind::integer, false, since(21)},
                         {"output_dtype", AttributeKind::integer, false, since(23)}},
          .lower = lower};
}

}  // namespace burin
