// Cooperative work-groups share the loops of one point: a row is summed, and written, by all of it.
//
//   BeginLet, loops, EndLet   every work-item combines a part of the points; then their results are
//                             combined, and all have the let
//   loops around a store      every work-item has a part of the points
//   anything else             every work-item computes it; a store is the first one's
#pragma once

#include <vector>

#include "select/schedule/launch.h"

namespace burin {

inline constexpr double kOperationsPerJoin = 4;  // of a cooperative sum, per halving

// Whether what the nodes do at one point of `items` can be shared so.
bool may_be_shared(const LoopNodes& nodes, const std::vector<int>& items, const Kernel& kernel);

// The axes of a loop and of those right inside it, outermost first, that a cooperative group shares
// as one.
std::vector<int> shared_axes(const ForLoop& loop, const Kernel& kernel);
// What runs inside these.
const LoopNodes& shared_body(const ForLoop& loop, const Kernel& kernel);

}  // namespace burin
