// Plans of random graphs: the checker is content, and a run in the arena gives what a run with
// separate memory gives, at several sizes. Broken plans: where the run differs, the checker must
// have said so.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/memory/check_memory.h"
#include "plan/memory/memory_plan.h"
#include "plans/support/random_graph.h"
#include "plans/support/token_run.h"

namespace burin::random_memory_test {
namespace {

using test::Numbers;

std::function<int64_t(const Symbol&)> sizes_of(int choice) {
  return [choice](const Symbol& symbol) -> int64_t {
    if (choice == 0) return at_hints(Index::symbol(symbol));
    if (choice == 1) return symbol->min;
    if (choice == 2) return symbol->max;
    return symbol->min +
           (choice * 7 + static_cast<int>(symbol->name[0])) % (symbol->max - symbol->min + 1);
  };
}

bool runs_alike(const KernelGraph& graph, const MemoryPlan& plan, int choices) {
  for (int choice = 0; choice < choices; ++choice) {
    for (const uint64_t branch : {uint64_t{0x0}, uint64_t{0x36c9}, ~uint64_t{0}}) {
      const test::TokenRun run{sizes_of(choice), 3, branch};
      if (test::run_on_tokens(graph, nullptr, run) != test::run_on_tokens(graph, &plan, run)) {
        return false;
      }
    }
  }
  return true;
}

void plan_many(uint64_t seed, int count, const test::RandomGraphOptions& graph_options) {
  Numbers numbers(seed);
  int shared = 0;
  for (int i = 0; i < count; ++i) {
    const KernelGraph graph = test::random_graph(numbers, graph_options);
    MemoryOptions options;
    options.alignment = numbers.one_in(2) ? 4 : 64;
    options.share = !numbers.one_in(4);
    options.fixed_offsets = numbers.one_in(4);
    if (numbers.one_in(2)) options.rooms = {graph.outputs.begin(), graph.outputs.end()};
    const std::vector<ScratchNeed> scratch = {
        {StepId{1}, 40, numbers.between(1, 3)},
        {StepId{3}, numbers.between(0, 200), numbers.between(1, 3)}};
    const MemoryPlan plan = plan_memory(graph, scratch, options);
    ASSERT_EQ(check_memory_plan(graph, scratch, options, plan), std::vector<std::string>())
        << seed << " " << i << "\n"
        << to_string(graph) << to_string(plan);
    ASSERT_TRUE(runs_alike(graph, plan, graph_options.symbols ? 6 : 1))
        << seed << " " << i << "\n"
        << to_string(graph) << to_string(plan);
    for (const Placement& placement : plan.values) shared += placement.base != kNoValue;
  }
  EXPECT_GT(shared, count);
}

TEST(RandomMemory, StaticGraphs) { plan_many(1, 150, {14, false, true}); }
TEST(RandomMemory, SymbolicGraphs) { plan_many(2, 40, {12, true, true}); }
TEST(RandomMemory, StraightLines) { plan_many(3, 60, {30, false, false}); }

TEST(RandomMemory, CheckerFindsWhatARunWouldFind) {
  Numbers numbers(4);
  int reported = 0;
  int mutants = 0;
  for (int i = 0; i < 60; ++i) {
    const KernelGraph graph = test::random_graph(numbers, {10, false, true});
    MemoryOptions options;
    options.alignment = 4;
    const MemoryPlan plan = plan_memory(graph, {}, options);
    for (int k = 0; k < 12; ++k) {
      MemoryPlan wrong = plan;
      const auto pick =
          static_cast<size_t>(numbers.below(static_cast<int64_t>(plan.values.size())));
      Placement& placement = wrong.values[pick];
      if (placement.sharing == Sharing::none || placement.root != kNoValue) continue;
      switch (numbers.below(3)) {
        case 0:
          placement.offset += 4 * numbers.between(-6, 6);
          break;
        case 1:
          placement.offset = plan.values[static_cast<size_t>(numbers.below(
                                             static_cast<int64_t>(plan.values.size())))]
                                 .offset;
          break;
        default: {
          if (!wrong.dropped.insert(StepId{static_cast<int>(numbers.below(8))}).second) continue;
        }
      }
      if (wrong == plan) continue;
      ++mutants;
      const bool faults = !check_memory_plan(graph, {}, options, wrong).empty();
      reported += faults;
      if (faults) continue;
      // Accepted: then it must run.
      ASSERT_TRUE(runs_alike(graph, wrong, 1)) << to_string(graph) << to_string(wrong);
    }
  }
  EXPECT_GT(mutants, 200);
  EXPECT_GT(reported, mutants / 2);
}

TEST(RandomMemory, CheckerFindsEveryPairPutTogether) {
  // Two values that are needed at the same step, moved to the same bytes.
  Numbers numbers(5);
  int pairs = 0;
  for (int i = 0; i < 20; ++i) {
    const KernelGraph graph = test::random_graph(numbers, {12, false, false});
    MemoryOptions options;
    options.alignment = 4;
    options.share = false;
    const MemoryPlan plan = plan_memory(graph, {}, options);
    for (size_t a = 0; a < plan.values.size(); ++a) {
      for (size_t b = 0; b < plan.values.size(); ++b) {
        const Placement& x = plan.values[a];
        const Placement& y = plan.values[b];
        if (a == b || x.sharing != Sharing::own || y.sharing != Sharing::own) continue;
        // y is written while x is still needed later on.
        if (!(x.live[0].first < y.live[0].first && y.live[0].first < x.live[0].last)) continue;
        MemoryPlan wrong = plan;
        wrong.values[b].offset = x.offset;
        EXPECT_FALSE(check_memory_plan(graph, {}, options, wrong).empty());
        ++pairs;
      }
    }
  }
  EXPECT_GT(pairs, 100);
}

TEST(RandomMemory, CheckerFindsASmallerArena) {
  Numbers numbers(6);
  const KernelGraph graph = test::random_graph(numbers, {20, false, false});
  MemoryOptions options;
  options.alignment = 4;
  MemoryPlan plan = plan_memory(graph, {{StepId{2}, 64}}, options);
  ASSERT_TRUE(check_memory_plan(graph, {{StepId{2}, 64}}, options, plan).empty());
  EXPECT_FALSE(check_memory_plan(graph, {{StepId{2}, 65}}, options, plan).empty());
  EXPECT_FALSE(check_memory_plan(graph, {{StepId{2}, 64}, {StepId{4}, 8}}, options, plan).empty());
  plan.arena_bytes -= 4;
  EXPECT_FALSE(check_memory_plan(graph, {{StepId{2}, 64}}, options, plan).empty());
}

}  // namespace
}  // namespace burin::random_memory_test
