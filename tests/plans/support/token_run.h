// Runs a kernel graph on tokens instead of numbers: every element is a hash of how it was computed.
// Two runs, one with every value in memory of its own and one in the arena of a plan, must give the
// same tokens; the points of a kernel run in a scrambled order, as threads would.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plan/memory/memory_plan.h"

namespace burin::test {

struct TokenRun {
  std::function<int64_t(const Symbol&)> size;  // of param symbols, and of run symbols
  int64_t trips = 3;                           // of every loop, at most its own
  uint64_t branch = 0;                         // bit k: what the k-th If on the way takes
};

// Tokens of all outputs, one after the other. Without a plan every value has its own memory.
std::vector<uint64_t> run_on_tokens(const KernelGraph& graph, const MemoryPlan* plan,
                                    const TokenRun& run);

}  // namespace burin::test
