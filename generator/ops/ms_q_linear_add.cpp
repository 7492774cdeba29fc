// com.microsoft QLinearAdd: the sum of two quantised tensors, broadcast, quantised.
#include "ops/api/quantized_math.h"

namespace burin {
namespace {

void lower(OpContext& op) { map_quantized_binary(op, Binary::add); }

}  // namespace

OpDef op_ms_q_linear_add() { return quantized_binary_op("QLinearAdd", lower); }

}  // namespace burin
