// What the gathering operators share: an index that comes from a tensor.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"

namespace burin {

// Reads entries of an index tensor as indices into a dimension of `extent`: wrapped when negative,
// never outside. Where the entries are known while generating and are one number, or evenly spaced
// in a list, the result is affine and the gather is plain movement; constant entries that are
// outside are refused, or stop the run where that is dynamic.
std::function<Index(const Indices& at)> index_reader(OpContext& op, int input, const Dim& extent);

}  // namespace burin
