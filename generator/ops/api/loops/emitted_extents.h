// Extents of what a loop emits that its body itself binds: ONNX has them be the same in every
// iteration, which is dynamic.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "ops/api/core/op_context.h"

namespace burin {

using Varies = std::function<bool(const Dim&)>;

// Whether a size has a symbol that is bound in `body` or is one of `others`.
Varies varies_in(const Steps& body, const std::set<std::string>& others);

// A symbol for such an extent as it is in the first iteration, 0 before it; what is emitted lies by
// this one. It is at most what bounds `extent` outside of the body.
Symbol extent_of_first(OpContext& op, const Dim& extent, const Varies& varies);

// To be called where the body is collected: the symbol is set where `is_first` holds, and the run
// ends with a status where the extent is another one later.
void keep_extent(OpContext& op, const Symbol& kept, const Dim& extent, const Expr& is_first);

// What the file says of what is emitted: of extents that the body binds it is checked there, before
// anything is written; all else before the loop, where this is called.
void check_emitted(OpContext& op, const Steps& checks, Steps& body);

}  // namespace burin
