// Convolutions of any rank, grouped and dilated, as one contraction over input channels and taps.
#pragma once

#include "ops/api/core/op_def.h"
#include "ops/api/math/sums_of_products.h"

namespace burin {

// Output 0 = finish(conv(X, W)): X [N, C, spatial...], W [M, C/group, taps...]. Padding counts as 0
// after X's `prepare`. `finish` gets the point [n, m, spatial...]. With `channels_last` the output
// is [N, spatial..., M].
void map_convolution(OpContext& op, const Factor& x, const Factor& w, Type result,
                     const Epilogue& finish, bool channels_last = false);

// A positive `group` that divides the channels.
int64_t group_of(const OpContext& op);

// `kernel_shape`, where given, must be the shape of the weights behind their first two dimensions.
void check_kernel_shape(OpContext& op, const Operand& w);

// B's element for output channel m; B is a list of `channels`.
std::function<Expr(const Indices& at)> bias_reader(OpContext& op, int input, const Dim& channels);

std::vector<AttributeDef> convolution_attributes();

}  // namespace burin
