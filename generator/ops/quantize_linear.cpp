// QuantizeLinear: saturate(round(x / scale) + zero_point), with one scale, one per coordinate along
// axis (since opset 13) or one per block of them (since opset 21). 8-bit floats (since opset 19)
// are rounded to their own precision.
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantizing.h"

namespace burin::quantize_linear_op {

OpDef definition() {
  return {.name = "QuantizeLinear",
          .since = 10,
          .inputs = {{"x", types::floats | types::i32},
                     {"y_scale", types::floats | types::i32 | types::exponents},
                     {"y_zero_point", types::quantized, Arity::optional}},
          .outputs = {{"y"}},
          .attributes = {{"axis", AttributeKind::integer, false, since(13)},
                         {"block_size", AttributeKind::integer, false, since(21)},
                         {"output_dtype", AttributeKind::integer, false, since(21)},
                         {"precision", AttributeKind::integer, false, since(23)},
                         {"saturate", AttributeKind::integer, false, since(19)}},
          .lower = map_quantize,
          .converts = true};
}

}  // namespace burin::quantize_linear_op
