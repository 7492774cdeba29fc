// Conditions on sizes that operators share.
#pragma once

#include "ops/api/core/op_context.h"

namespace burin {

// `size` is not negative: proven, refused, or checked by the run.
inline void require_nonnegative(OpContext& op, const Dim& size, std::string_view what) {
  op.require({{size, 0, size + 1}}, what);
}

}  // namespace burin
