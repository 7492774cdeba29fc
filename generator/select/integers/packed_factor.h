// A constant factor as an integer product reads it: panels, the element of a point, sums of lanes.
#pragma once

#include <functional>

#include "select/integers/constants.h"
#include "select/integers/plan.h"

namespace burin {

// Lanes of a factor: of how many of its axes, which axis of the plan (-1: one point), how many in a
// panel; whether sums of products begin with what is taken off.
struct PackedLanes {
  size_t axes = 0;
  int axis = -1, width = 1;
  bool begins = false;
  int together = 1;  // groups of a lane side by side, as a unit for matrices reads rows
};
// Its other axes: in front of the lanes, reduced ones, which of these is cut into groups.
struct PackedDepth {
  size_t outers = 0, reduced = 0, grouped = 0;
};
struct PackedFactor {
  Panels panels;
  std::function<Expr(ValueId panels)> body;  // of the sum's type, over the plan's kernel
  PackedSums sums;
};
PackedFactor pack_factor(const FactorNumbers& numbers, const IntegerPlan& plan,
                         const PackedLanes& lanes, const PackedDepth& depth, int32_t offset,
                         Type type);

// A group of one number.
Constant group_bytes(Type type, int group, int64_t number);

}  // namespace burin
