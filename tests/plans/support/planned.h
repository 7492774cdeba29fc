// What tests of memory plans share: plans that are checked and run as soon as they are made.
#pragma once

#include <gtest/gtest.h>

#include "plan/memory/check_memory.h"
#include "plan/memory/memory_plan.h"
#include "plans/support/graph_builder.h"
#include "plans/support/token_run.h"

namespace burin::test {

inline MemoryOptions options_of(int64_t alignment = 16) {
  MemoryOptions options;
  options.alignment = alignment;
  return options;
}

inline int64_t hinted(const Symbol& symbol) { return at_hints(Index::symbol(symbol)); }

// Plans, has the plan checked, and runs it against separate memory.
inline MemoryPlan planned(const KernelGraph& graph, const MemoryOptions& options = options_of(),
                          const std::vector<ScratchNeed>& scratch = {}) {
  MemoryPlan plan = plan_memory(graph, scratch, options);
  EXPECT_EQ(check_memory_plan(graph, scratch, options, plan), std::vector<std::string>())
      << to_string(graph) << to_string(plan);
  for (const uint64_t branch : {uint64_t{0}, uint64_t{0x5555}, ~uint64_t{0}}) {
    const TokenRun run{hinted, 3, branch};
    EXPECT_EQ(run_on_tokens(graph, nullptr, run), run_on_tokens(graph, &plan, run))
        << to_string(graph) << to_string(plan);
  }
  return plan;
}

}  // namespace burin::test
