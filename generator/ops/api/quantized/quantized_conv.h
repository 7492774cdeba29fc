// QLinearConv: the convolution of quantised tensors with an i32 bias, exact in i32, then scaled and
// quantised. Weights may have a scale and zero point per output channel.
#pragma once

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// With `channels_last` input and output are [N, spatial..., C].
void lower_q_linear_conv(OpContext& op, bool channels_last);

OpDef make_q_linear_conv_op(void (*lower)(OpContext&));

}  // namespace burin
