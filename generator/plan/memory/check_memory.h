// The checker of memory plans. It knows nothing of lifetimes, groups or packings: it follows the
// steps as they will run, with a note per value whether its bytes still hold what was written, and
// reports every read of bytes that another value has overwritten. What two values may do in the
// same bytes within one step is decided by evaluating the kernel's addresses at points. All of that
// at the hinted, the smallest, the largest and odd sizes in between.
#pragma once

#include <string>
#include <vector>

#include "plan/memory/memory_plan.h"

namespace burin {

// The faults found, at most 20; none: the plan is correct at all sizes that were tried. Uses
// the alignment of the options. O(sizes * (values^2 + points)).
std::vector<std::string> check_memory_plan(const KernelGraph& graph,
                                           const std::vector<ScratchNeed>& scratch,
                                           const MemoryOptions& options, const MemoryPlan& plan);

}  // namespace burin
