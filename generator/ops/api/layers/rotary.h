// Rotary position embedding: pairs of elements of a head turned by an angle that grows with their
// position.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"

namespace burin {

struct Rotation {
  bool interleaved = false;  // pairs are neighbours; otherwise an element and the one half a
                             // rotation away
  Dim size;                  // elements of a head that turn, an even number; the others stay
  // Of pair p at position i of batch b.
  std::function<Expr(const Index&b, const Index&i, const Index&p)> cos, sin;
};

// Element e of a head at position i of batch b, turned. `x` gives the element at any place.
Expr rotated(const Rotation& rotation, const std::function<Expr(const Index& e)>& x, const Index& b,
             const Index& i, const Index& e);

}  // namespace burin
