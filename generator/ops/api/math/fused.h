// What the operators of com.microsoft share: they stand for several operators of ai.onnx that an
// optimiser has fused.
#pragma once

#include <functional>
#include <optional>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/math/activation.h"

namespace burin {

// The definition in domain com.microsoft, whose only version is 1.
OpDef ms_op(OpDef def);

Expr gelu(const Expr& x);       // x/2 * (1 + erf(x / sqrt(2)))
Expr gelu_tanh(const Expr& x);  // its tanh form

// y = f(x + bias), the bias (input `bias`, optional) broadcast to x.
void map_with_bias(OpContext& op, int bias, const std::function<Expr(const Expr&)>& f);

// The function that the attribute `activation` names, with its parameters; nullopt where there is
// none.
std::optional<Activation> fused_activation(const OpContext& op);
std::vector<AttributeDef> fused_activation_attributes();

}  // namespace burin
