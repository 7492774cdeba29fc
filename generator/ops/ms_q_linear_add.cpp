// com.microsoft QLinearAdd: the sum of two quantised tensors, broadcast, quantised.
#include "ops/api/quantized_math.h"

namespace burin::ms_q_linear_add_op {
namespace {

void lower(OpContext& op) { map_quantized_binary(op, Binary::add); }

}  // namespace

OpDef definition() { return quantized_binary_op("QLinearAdd", lower); }

}  // namespace burin::ms_q_linear_add_op
