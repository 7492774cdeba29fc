// Constants that a branch gives: written before it is known whether it is taken, by a kernel that
// runs anyway.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// A branch whose kernels only store constants into single elements (an exit of a network that gives
// flags for what did not run) is a launch or a call for each. Where the last kernel in front of the
// branch that writes single elements runs as often, it stores them too, and the other branch
// overwrites them: the same values, one kernel fewer for each. Only elements that nothing in front
// of the branch writes, and none inside of loops.
KernelGraph with_early_fills(KernelGraph graph);

}  // namespace burin
