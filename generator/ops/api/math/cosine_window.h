// Windows that are sums of cosines: Hann, Hamming, Blackman.
#pragma once

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// y[n] = a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N), with N = size where periodic, else size - 1.
void map_cosine_window(OpContext& op, double a0, double a1, double a2);
OpDef cosine_window_op(std::string name, void (*lower)(OpContext&));

}  // namespace burin
