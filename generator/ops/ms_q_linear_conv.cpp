// com.microsoft QLinearConv: that of ONNX, where channels_last says that input and output are [N,
// spatial..., C].
#include "ops/api/math/fused.h"
#include "ops/api/quantized/quantized_conv.h"

namespace burin::ms_q_linear_conv_op {
namespace {

void lower(OpContext& op) { lower_q_linear_conv(op, op.integer("channels_last", 0) != 0); }

}  // namespace

OpDef definition() {
  OpDef def = ms_op(make_q_linear_conv_op(lower));
  def.attributes.push_back({"channels_last", AttributeKind::integer});
  return def;
}

}  // namespace burin::ms_q_linear_conv_op
