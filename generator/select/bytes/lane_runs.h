// Stretches of lanes along which a byte is read as it lies: the middle of a row that is padded by
// its mirror image.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Lanes from `first` on, `count` of them.
struct LaneRun {
  int64_t first = 0, count = 0;
  bool operator==(const LaneRun&) const = default;
};

// The lanes of an axis of known length, in order: what is before the longest stretch in which every
// load that does not lie along the axis does so, that stretch, what is behind it. Empty: there is
// none of kLeastRun lanes. Looked for at the first point of all other axes, and proven for all.
// O(lanes * loads).
std::vector<LaneRun> lane_runs(const Kernel& kernel, const std::vector<Expr>& loads, int axis,
                               const std::vector<Value>& values);

inline constexpr int64_t kLeastRun = 32;

// Whether the byte lies along the lanes of a run.
bool lies_along_run(const Value& value, const std::vector<Index>& place, int axis,
                    const LaneRun& run);

}  // namespace burin
