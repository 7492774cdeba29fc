// DequantizeLinear: (x - zero_point) * scale, with one scale, one per coordinate along axis (since
// opset 13) or one per block of them (since opset 21).
#include "ops/api/quantized/quantize.h"
#include "ops/api/quantized/quantizing.h"

namespace burin::dequantize_linear_op {

OpDef definition() {
  return {.name = "DequantizeLinear",
          .since = 10,
          .inputs = {{"x", types::quantized | types::i32},
                     {"x_scale", types::floats | types::exponents},
                     {"x_zero_point", types::quantized | types::i32, Arity::optional}},
          .outputs = {{"y"}},
          .attributes = {{"axis", AttributeKind::integer, false, since(13)},
                         {"block_size", AttributeKind::integer, false, since(21)},
                         {"output_dtype", AttributeKind::integer, false, since(23)}},
          .lower = map_dequantize,
          .converts = true};
}

}  // namespace burin::dequantize_linear_op
