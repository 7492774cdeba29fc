// com.microsoft QLinearMul: the product of two quantised tensors, broadcast, quantised.
#include "ops/api/quantized_math.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_quantized_binary(op, Binary::mul); }

}  // namespace

OpDef op_ms_q_linear_mul() { return quantized_binary_op("QLinearMul", lower); }

}  // namespace burin
