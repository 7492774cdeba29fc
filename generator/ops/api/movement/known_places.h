// Where updates go whose indices are known while generating.
#pragma once

#include <optional>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// One coordinate of the points 0, 1, ... of `dim`: first + step * point. Without a dimension it is
// `first` for all of them.
struct Coordinate {
  int64_t first = 0;
  int dim = -1;
  int64_t step = 0;
};

// The coordinates that input `input`, of shape [points..., coordinates], holds, where it is a
// constant and they are evenly spaced, each along a dimension of the points that no other
// coordinate follows, so that no place is given twice; what exporters write for an assignment to a
// slice. nullopt: they are not, or one lies outside of `extents` (negative ones count from the
// end).
std::optional<std::vector<Coordinate>> even_coordinates(const OpContext& op, int input,
                                                        const std::vector<Dim>& extents);

// Seen from a place: whether an update goes there, and which one.
struct Update {
  Guard when;
  Indices point;  // one per dimension of the points
};
// `place` has an index per coordinate; `points` are the extents of the points.
Update update_at(const std::vector<Coordinate>& coordinates, const Indices& place,
                 const Shape& points);

}  // namespace burin
