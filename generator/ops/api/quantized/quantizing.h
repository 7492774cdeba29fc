// Quantisation of whole tensors, as QuantizeLinear and DequantizeLinear of ai.onnx and
// com.microsoft have it: one scale, one per coordinate along `axis`, or one per block of them.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// y = saturate(round(x / y_scale) + y_zero_point)
void map_quantize(OpContext& op);

// y = (x - x_zero_point) * x_scale
void map_dequantize(OpContext& op);

}  // namespace burin
