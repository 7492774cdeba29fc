// Guards as loop bounds: where a condition is linear in a loop's axis, the loop runs over exactly
// the points where it holds, or is cut into pieces in which it is decided. What stays is tested in
// the loop.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// lo <= k*axis + rest < hi with a constant k > 0 and rest free of the axis: begin <= axis < end.
struct Bounds {
  Index begin, end;  // not yet clipped to the axis
  bool operator==(const Bounds&) const = default;
};
std::optional<Bounds> bounds_of(const Condition& condition, int axis);

// body = value where `guard` holds and the identity of `op` elsewhere; the guard may be empty.
struct Guarded {
  Guard guard;
  Expr value;
};
Guarded strip_guard(Combiner op, const Expr& body);

// `expr` where `condition` is known to hold, or known not to.
Expr assume(const Expr& expr, const Condition& condition, bool holds);

// All conditions of cases inside an expression, in order of appearance, without duplicates.
std::vector<Condition> conditions_of(const Expr& expr);

}  // namespace burin
