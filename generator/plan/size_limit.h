// The largest value of sizes that nothing bounds, so that no emitted computation of an address or
// of a number of bytes leaves 64 bits, whatever a caller passes.
#pragma once

#include "plan/memory_plan.h"

namespace burin {

// A power of two: with every unbounded `param` symbol at most this, and every other at its upper
// bound, the bytes of each value and of all memory together stay below 2^60. Evaluated in floating
// point with the sign of every term taken as positive: never too large. O(values * log limit).
int64_t size_limit(const KernelGraph& graph, const MemoryPlan& memory);

}  // namespace burin
