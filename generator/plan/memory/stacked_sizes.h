// Buffers whose sizes depend on symbols: the order of stacking (plan/packing/stacking.h) whose
// heights are closest to the lower bounds over the range of the sizes.
#pragma once

#include <string>
#include <vector>

#include "plan/memory/memory_plan.h"
#include "plan/memory/symbolic_offsets.h"
#include "plan/packing/size_points.h"

namespace burin {

struct StackedSizes {
  std::vector<int> order;  // of buffers, the lowest first
  std::string method;
  int64_t nodes = 0;                // visited by the search at the hints
  bool optimal_at_hints = false;    // the height is the live sum there
  std::vector<Baseline> baselines;  // at the hints, in units
};

// With a baseline as rule, its packing at the hints gives the order.
StackedSizes stack_sizes(const std::vector<SymbolicBuffer>& buffers, const SizePoints& points,
                         const BufferPackingOptions& options);

}  // namespace burin
