// The points of an axis cut where the conditions of a value change (index-set splitting): a padded
// row becomes left margin, middle and right margin, a concatenation its operands one by one.
#pragma once

#include <functional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// begin <= axis < end, and the value there, in which what decides it is decided.
struct AxisPiece {
  Index begin, end;
  Expr value;
};

// Pieces in ascending order, at most kMostPieces; conditions beyond that stay in the value, and so
// do those for whose index `moves` holds, which something else than the axis and what is around it
// decides. None: there are no points.
constexpr int kMostPieces = 32;
std::vector<AxisPiece> pieces_along(int axis, const Index& begin, const Index& end,
                                    const Expr& value,
                                    const std::function<bool(const Index&)>& moves);

}  // namespace burin
