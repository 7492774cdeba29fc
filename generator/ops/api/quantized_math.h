// Arithmetic of com.microsoft's QLinear operators: dequantise, compute in f32, quantise.
#pragma once

#include <functional>

#include "ops/api/op_context.h"
#include "ops/api/op_def.h"

namespace burin {

// The scale and zero point of a whole tensor, at inputs `scale` and `scale` + 1 (which may be
// absent: 0).
struct QuantizedBy {
  Expr scale, zero;  // zero may be empty

  Expr dequantize(const Expr& q) const;
  Expr quantize(const Expr& real, Type to) const;
};
QuantizedBy quantized_by(OpContext& op, int scale);

// y = f(x): inputs X, X_scale, X_zero_point, Y_scale, Y_zero_point.
void map_quantized_unary(OpContext& op, const std::function<Expr(const Expr&)>& f);
// c = f(a, b), broadcast: inputs A, A_scale, A_zero_point, B, ..., C_scale, C_zero_point.
void map_quantized_binary(OpContext& op, Binary f);

OpDef quantized_unary_op(std::string name, void (*lower)(OpContext&));
OpDef quantized_binary_op(std::string name, void (*lower)(OpContext&));

}  // namespace burin
