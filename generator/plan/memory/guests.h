// Guests: values that lie in the memory of an output while nothing of the output is there yet. An
// output is the caller's memory for the whole run, but often written by the last steps only; what
// lies there before them takes no bytes of the arena.
#pragma once

#include <set>
#include <vector>

#include "kernel/kernel.h"
#include "plan/memory/memory_plan.h"

namespace burin {

// Moves groups of the arena into the outputs `rooms`, the largest first, each at the lowest offset
// that is free while it is held. Only groups and outputs of known sizes, and of one type: the
// caller may have declared an array of it. O(groups^2 * outputs).
void place_guests(const KernelGraph& graph, const std::set<ValueId>& rooms,
                  std::vector<Group>& groups);

}  // namespace burin
