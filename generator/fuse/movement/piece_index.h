// Pieces of one tensor as one access. A concatenation whose parts all come from the same tensor is
// no copy, but an index:
//   concat(x[a:], x[:a])                   x[(i + a) mod n]                     (a cyclic shift)
//   concat of x[u::2, v::2] for u, v       x[2*r + (q mod 2), ...], q = i // c  (space to depth)
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

// The value of a map whose pieces are loads of one tensor, as one load; nullopt where the pieces do
// not follow one rule.
std::optional<Expr> one_access(const Kernel& map, const std::vector<Value>& values);

}  // namespace burin
