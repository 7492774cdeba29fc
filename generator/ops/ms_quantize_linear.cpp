// com.microsoft QuantizeLinear: as that of ai.onnx, with types that it got later (i16, u16, 4
// bits).
#include "ops/api/math/fused.h"
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantizing.h"

namespace burin::ms_quantize_linear_op {

OpDef definition() {
  return ms_op(
      {.name = "QuantizeLinear",
       .inputs = {{"x", types::f32 | only(Type::f16)},
                  {"y_scale", types::f32 | only(Type::f16)},
                  {"y_zero_point", types::quantized, Arity::optional}},
       .outputs = {{"y"}},
       .attributes = {{"axis", AttributeKind::integer}, {"saturate", AttributeKind::integer}},
       .lower = map_quantize,
       .converts = true});
}

}  // namespace burin::ms_quantize_linear_op
