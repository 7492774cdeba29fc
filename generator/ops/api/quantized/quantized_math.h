// Arithmetic of com.microsoft's QLinear operators: dequantise, compute in f32, quantise.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// The scale and zero point of a whole tensor, at inputs `scale` and `scale` + 1 (which may be
// absent: 0).
struct QuantizedBy {
  Expr scale, zero;  // zero may be empty

  Expr zero_f32() const;  // 0 where it is absent

  Expr dequantize(const Expr& q) const;
  Expr quantize(const Expr& real, Type to) const;
};
QuantizedBy quantized_by(OpContext& op, int scale);

// y = f(x): inputs X, X_scale, X_zero_point, Y_scale, Y_zero_point.
void map_quantized_unary(OpContext& op, const std::function<Expr(const Expr&)>& f);
// One element of each of two quantised tensors, as they are stored, with what they are quantised
// by.
struct QuantizedPair {
  Expr a, b;
  const QuantizedBy &by_a, &by_b, &to;
};
// c = f(a, b), broadcast: inputs A, A_scale, A_zero_point, B, ..., C_scale, C_zero_point. `f` gives
// c as f32 in units of its scale, its zero point added: roundings then lie where onnxruntime has
// them, which decides between two bytes where a sum or a product lies half way.
void map_quantized_binary(OpContext& op, const std::function<Expr(const QuantizedPair&)>& f);

OpDef quantized_unary_op(std::string name, void (*lower)(OpContext&));
OpDef quantized_binary_op(std::string name, void (*lower)(OpContext&));

}  // namespace burin
