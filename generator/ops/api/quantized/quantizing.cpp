#include "ops/api/quantized/quantizing.h"

#include "ops/api/core/scalars.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/quantized/quantize.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

Type output_type(const OpContext& op) {
  if (op.has_input(2)) return op.input(2).type();
  const int64_t given = op.integer("output_dtype", 0);
  return given == 0 ? Type::u8 : type_of_onnx(given);
}

}  // namespace

void map_quantize(OpContext& op) {
  const Operand x = op.input(0);
  const Type type = output_type(op);
  if (!types::quantized.contains(type))
    refuse("unsupported-type", "quantisation to " + std::string(to_string(type)));
  const int64_t axis = op.integer("axis", 1);
  const int64_t block = op.integer("block_size", 0);
  if (block < 0) refuse("bad-attribute", "block_size is " + std::to_string(block));
  // The type of the quotient, which f32 is unless another one is asked for.
  const int64_t precision = op.integer("precision", 0);
  const Type quotient = precision == 0 ? Type::f32 : type_of_onnx(precision);
  if (!types::floats.contains(quotient))
    refuse("bad-attribute", "precision is " + std::string(to_string(quotient)));
  const Type real = compute_type(quotient);
  const Parameter scale = parameter_of(op, 1, x.shape(), axis, block);
  const Parameter zero = optional_parameter(op, 2, x.shape(), axis, block);
  const bool saturate = !is_float(type) || op.integer("saturate", 1) != 0;
  const Operand y = op.output(0, type, x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr ratio = in_type(real, x.at(at)) / in_type(real, scale(at));
    const Expr rounded = quotient == real ? ratio : Expr::cast(quotient, ratio);
    return quantized(rounded, zero ? zero(at) : Expr(), type, saturate);
  });
}

void map_dequantize(OpContext& op) {
  const Operand x = op.input(0);
  const int64_t axis = op.integer("axis", 1);
  const int64_t block = op.integer("block_size", 0), given = op.integer("output_dtype", 0);
  if (block < 0) refuse("bad-attribute", "block_size is " + std::to_string(block));
  if (op.has_input(2) && op.input(2).type() != x.type())
    refuse("type-mismatch", "x and its zero point must have one type");
  const Parameter scale = parameter_of(op, 1, x.shape(), axis, block);
  const Parameter zero = optional_parameter(op, 2, x.shape(), axis, block);
  if (given == 0 && op.input(1).type() == Type::f8e8m0)
    refuse("bad-attribute", "scales that are powers of two need output_dtype");
  const Operand y = op.output(0, given == 0 ? op.input(1).type() : type_of_onnx(given), x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr number = centred(x.at(at), zero ? zero(at) : Expr());
    const Expr step = scale(at);
    return in_type(y.compute(), in_type(step.type(), number) * step);
  });
}

}  // namespace burin
