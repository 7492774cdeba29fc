// Memory of steps that run at the same time: one step of every lifetime, and what the checker
// finds.
#include <gtest/gtest.h>

#include "plans/support/planned.h"

namespace burin::memory_concurrent_test {
namespace {

using test::GraphBuilder;
using test::options_of;
using test::planned;

// Two chains, step by step: x0 -> a0 -> b0 -> y0 and x1 -> a1 -> b1 -> y1.
struct Chains {
  GraphBuilder b;
  ValueId a[2], c[2];
  Chains() {
    for (int i = 0; i < 2; ++i) a[i] = b.internal({8, 8});
    for (int i = 0; i < 2; ++i) c[i] = b.internal({8, 8});
    for (int i = 0; i < 2; ++i) b.transpose(a[i], b.input({8, 8}));
    for (int i = 0; i < 2; ++i) b.transpose(c[i], a[i]);
    for (int i = 0; i < 2; ++i) b.transpose(b.output({8, 8}), c[i]);
  }
};

TEST(MemoryTogether, OperandsLiveUntilTheLastHasEnded) {
  Chains chains;
  EXPECT_EQ(planned(chains.b.numbered()).arena_bytes, Dim(3 * 256));
  MemoryOptions options = options_of();
  options.rules = {Concurrent{{StepId{2}, StepId{3}}}};
  const MemoryPlan plan = planned(chains.b.numbered(), options);
  EXPECT_EQ(plan.arena_bytes, Dim(4 * 256)) << "both operands and both results at once";
  for (const ValueId id : {chains.a[0], chains.a[1]})
    EXPECT_EQ(plan.values[static_cast<size_t>(id)].live.back().last, 3);
  for (const ValueId id : {chains.c[0], chains.c[1]})
    EXPECT_EQ(plan.values[static_cast<size_t>(id)].live.front().first, 2);
}

TEST(MemoryTogether, CheckerFindsBytesThatTwoShare) {
  Chains chains;
  const MemoryPlan apart = planned(chains.b.numbered());
  MemoryOptions options = options_of();
  options.rules = {Concurrent{{StepId{2}, StepId{3}}}};
  EXPECT_NE(check_memory_plan(chains.b.numbered(), {}, options, apart), std::vector<std::string>());
}

// Only the step itself may write over its operand.
TEST(MemoryTogether, InPlaceWhereNoOtherReads) {
  for (const bool other_reads : {false, true}) {
    GraphBuilder b;
    const ValueId x = b.input({8, 8}), a = b.internal({8, 8}), c = b.internal({8, 8});
    b.transpose(a, x);
    b.unary(c, a);
    b.transpose(b.output({8, 8}), other_reads ? a : x);
    b.transpose(b.output({8, 8}), c);
    MemoryOptions options = options_of();
    options.rules = {Concurrent{{StepId{1}, StepId{2}}}};
    const MemoryPlan plan = planned(b.numbered(), options);
    EXPECT_EQ(plan.values[static_cast<size_t>(c)].sharing,
              other_reads ? Sharing::own : Sharing::in_place);
  }
}

TEST(MemoryTogether, CopiesAreNotDropped) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8}), a = b.internal({8, 8}), c = b.internal({8, 8});
  b.transpose(a, x);
  b.copy(c, a);
  b.transpose(b.output({8, 8}), x);
  b.unary(b.output({8, 8}), c);
  EXPECT_EQ(planned(b.numbered()).dropped, std::set{StepId{1}});
  MemoryOptions options = options_of();
  options.rules = {Concurrent{{StepId{1}, StepId{2}}}};
  EXPECT_EQ(planned(b.numbered(), options).dropped, std::set<StepId>());
}

TEST(MemoryTogether, ScratchIsApart) {
  Chains chains;
  MemoryOptions options = options_of();
  const std::vector<ScratchNeed> scratch = {{StepId{2}, 512}, {StepId{3}, 512}};
  EXPECT_EQ(planned(chains.b.numbered(), options, scratch).arena_bytes, Dim(3 * 256 + 512));
  options.rules = {Concurrent{{StepId{2}, StepId{3}}}};
  EXPECT_EQ(planned(chains.b.numbered(), options, scratch).arena_bytes, Dim(4 * 256 + 2 * 512));
}

}  // namespace
}  // namespace burin::memory_concurrent_test
