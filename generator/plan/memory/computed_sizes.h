// What emitted code computes from sizes: bytes and extents of tensors, offsets in memory,
// conditions, bounds of loops. Whoever knows more of it (the loops of kernels) adds to the list.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/memory/memory_plan.h"
#include "support/diagnostics.h"

namespace burin {

struct ComputedSize {
  Index index;
  std::function<Location()> where;  // asked only where it is refused
  bool is_memory = false;           // bytes that are taken together with all others
  bool is_bytes = false;            // a pointer is that far from another one
};

// Of all values and steps; and of a plan of its memory.
std::vector<ComputedSize> computed_sizes(const KernelGraph& graph);
std::vector<ComputedSize> computed_sizes(const MemoryPlan& memory);

}  // namespace burin
