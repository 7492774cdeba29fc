// com.microsoft QLinearConcat: quantised tensors, each with its scale and zero point, joined along
// an axis under one. Inputs: Y_scale, Y_zero_point, then (tensor, scale, zero point) of each.
#include "ops/api/math/fused.h"
#include "ops/api/quantized/quantized_math.h"
#include "support/diagnostics.h"

namespace burin::ms_q_linear_concat_op {
namespace {

void lower(OpContext& op) {
  const int count = (op.input_count() - 2) / 3;
  if (count < 1 || op.input_count() != 2 + 3 * count || !op.has_input(1))
    refuse("arity", std::to_string(op.input_count()) + " inputs are given");
  const Type type = op.input(1).type();
  for (int i = 0; i < op.input_count(); ++i) {
    // Scale and zero point of the result; then tensor, scale and zero point of each operand.
    const bool is_scale = i == 0 || (i > 2 && i % 3 == 0);
    if (!op.has_input(i) || op.input(i).type() != (is_scale ? Type::f32 : type))
      refuse("type-mismatch", "input " + std::to_string(i) + " must be " +
                                  std::string(to_string(is_scale ? Type::f32 : type)));
  }
  const QuantizedBy to = quantized_by(op, 0);
  const Operand first = op.input(2);
  const int axis = normalize_axis(op.integer("axis"), first.rank());
  Dim extent = 0;
  for (int k = 0; k < count; ++k) {
    const Operand x = op.input(2 + 3 * k);
    if (x.rank() != first.rank() || x.type() != type)
      refuse("shape-mismatch", "the tensors must have one rank and one type");
    for (int d = 0; d < x.rank(); ++d) {
      if (d != axis) op.require_equal(x.dim(d), first.dim(d), "dimension of the tensors");
    }
    extent = extent + x.dim(axis);
  }
  Shape shape = first.shape();
  shape[static_cast<size_t>(axis)] = extent;
  const Operand y = op.output(0, type, shape);
  Dim begin = 0;
  for (int k = 0; k < count; ++k) {
    const Operand x = op.input(2 + 3 * k);
    const QuantizedBy from = quantized_by(op, 3 + 3 * k);
    KernelBuilder kernel;
    const Indices at = kernel.axes(x.shape());
    Indices place = at;
    place[static_cast<size_t>(axis)] = at[static_cast<size_t>(axis)] + begin;
    kernel.write(y, place, to.quantize(from.dequantize(x.at(at)), type));
    op.emit(kernel);
    begin = begin + x.dim(axis);
  }
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "QLinearConcat",
                .inputs = {{"Y_scale", types::f32},
                           {"Y_zero_point", types::i8 | types::u8},
                           {"inputs", types::i8 | types::u8 | types::f32, Arity::variadic}},
                .outputs = {{"Y"}},
                .attributes = {{"axis", AttributeKind::integer, true}},
                .lower = lower});
}

}  // namespace burin::ms_q_linear_concat_op
