// com.microsoft DequantizeLinear: as that of ai.onnx, with types that it got later (i16, u16, 4
// bits).
#include "ops/api/math/fused.h"
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantizing.h"

namespace burin::ms_dequantize_linear_op {

OpDef definition() {
  return ms_op({.name = "DequantizeLinear",
                .inputs = {{"x", types::quantized | types::i32},
                           {"x_scale", types::f32 | only(Type::f16)},
                           {"x_zero_point", types::quantized | types::i32, Arity::optional}},
                .outputs = {{"y"}},
                .attributes = {{"axis", AttributeKind::integer}},
                .lower = map_dequantize,
                .converts = true});
}

}  // namespace burin::ms_dequantize_linear_op
