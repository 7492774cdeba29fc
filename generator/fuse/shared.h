// What a block of steps may not take for its own.
#pragma once

#include <map>
#include <set>

#include "kernel/kernel.h"

namespace burin {

struct Shared {
  // Outputs of the graph, and what any step outside the block's own list reads or writes, the
  // regions in the list included: tensors that others see.
  std::set<ValueId> values;
  // Steps of the whole graph that write a value. One that several write is state: it changes, and
  // reading it later is not reading it now.
  std::map<ValueId, int> writers;
};

Shared shared_values(const KernelGraph& graph, const Steps& block);

}  // namespace burin
