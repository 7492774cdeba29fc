// QLinearConv (api/q_linear_conv.h). Since opset 10.
#include "ops/api/quantized/quantized_conv.h"

namespace burin::q_linear_conv_op {
namespace {

void lower(OpContext& op) { lower_q_linear_conv(op, false); }

}  // namespace

OpDef definition() {
  OpDef def = make_q_linear_conv_op(lower);
  def.since = 10;
  return def;
}

}  // namespace burin::q_linear_conv_op
