// com.microsoft QLinearSigmoid: the logistic function of a quantised tensor, quantised.
#include "ops/api/math/activation.h"
#include "ops/api/quantized/quantized_math.h"

namespace burin::ms_q_linear_sigmoid_op {
namespace {

void lower(OpContext& op) { map_quantized_unary(op, sigmoid); }

}  // namespace

OpDef definition() { return quantized_unary_op("QLinearSigmoid", lower); }

}  // namespace burin::ms_q_linear_sigmoid_op
