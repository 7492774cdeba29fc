// com.microsoft QLinearMul: the product of two quantised tensors, broadcast, quantised.
#include "ops/api/quantized_math.h"

namespace burin::ms_q_linear_mul_op {
namespace {

void lower(OpContext& op) { map_quantized_binary(op, Binary::mul); }

}  // namespace

OpDef definition() { return quantized_binary_op("QLinearMul", lower); }

}  // namespace burin::ms_q_linear_mul_op
