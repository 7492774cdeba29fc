// Memory plans of straight lines of steps, of regions and scratch, and their text.
#include <gtest/gtest.h>

#include "plans/support/planned.h"

namespace burin::memory_plan_test {
namespace {

using test::GraphBuilder;
using test::options_of;
using test::planned;
TEST(MemoryPlan, ChainOfTransposesUsesTwoBuffers) {
  GraphBuilder b;
  ValueId last = b.input({8, 8});
  for (int i = 0; i < 6; ++i) {
    const ValueId next = b.internal({8, 8});
    b.transpose(next, last);
    last = next;
  }
  b.unary(b.output({8, 8}), last);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.arena_bytes, Dim(2 * 256));
  EXPECT_EQ(plan.lower_bound, Dim(2 * 256));
  EXPECT_EQ(plan.naive_bytes, Dim(6 * 256));
  EXPECT_TRUE(plan.optimal);
  EXPECT_EQ(plan.arena_bound, 512);
}

TEST(MemoryPlan, ValuesFromOutsideLiveThroughALoop) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId outside = b.internal({4, 4});
  const ValueId state = b.internal({4, 4});
  b.transpose(outside, x);
  b.unary(state, x);
  auto loop = std::make_shared<Loop>();
  loop->iteration = test::iteration("i", 9);
  loop->trips = 10;
  loop->condition = Expr::boolean(true);
  const ValueId t = b.internal({4, 4});
  const ValueId u = b.internal({4, 4});
  b.into(loop->body, [&] {
    b.binary(t, state, outside);
    b.transpose(u, t);
    b.copy(state, u);
  });
  b.step(loop);
  b.transpose(b.output({4, 4}), state);
  const MemoryPlan plan = planned(b.numbered());
  using Live = std::vector<Interval>;
  EXPECT_EQ(plan.values[static_cast<size_t>(outside)].live, (Live{{0, 5}}));
  EXPECT_EQ(plan.values[static_cast<size_t>(state)].live, (Live{{1, 3}, {5, 6}}));
  EXPECT_EQ(plan.values[static_cast<size_t>(t)].live, (Live{{3, 4}}));
  // The next state is made where the state lies: the copy is not needed.
  EXPECT_EQ(plan.dropped, std::set{StepId{5}});
  EXPECT_EQ(plan.arena_bytes, Dim(3 * 64));
}

TEST(MemoryPlan, RowsThatIterationsCollectStay) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId rows = b.internal({5, 4});
  auto loop = std::make_shared<Loop>();
  loop->iteration = test::iteration("i", 4);
  loop->trips = 5;
  loop->condition = Expr::boolean(true);
  const ValueId t = b.internal({4, 4});
  const ValueId u = b.internal({4, 4});
  b.into(loop->body, [&] {
    b.transpose(t, x);
    b.transpose(u, t);
    b.set_row(rows, Index::symbol(loop->iteration), u);
  });
  b.step(loop);
  const ValueId y = b.output({3, 4});
  b.slice(y, rows, 0);
  const MemoryPlan plan = planned(b.numbered());
  EXPECT_EQ(plan.values[static_cast<size_t>(rows)].live, (std::vector<Interval>{{0, 4}}));
}

TEST(MemoryPlan, BranchesShareMemory) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId p = b.internal({4, 4});
  const ValueId y = b.internal({4, 4});
  b.transpose(p, x);
  auto branch = std::make_shared<If>();
  branch->condition = compare(Binary::gt, b.load(x, {0, 0}), Expr::constant(Type::f32, 0.0));
  const ValueId t = b.internal({4, 4});
  const ValueId u = b.internal({4, 4});
  b.into(branch->then_steps, [&] {
    b.transpose(t, p);
    b.transpose(y, t);
  });
  b.into(branch->else_steps, [&] {
    b.transpose(u, x);
    b.transpose(y, u);
  });
  b.step(branch);
  b.transpose(b.output({4, 4}), y);
  const MemoryPlan plan = planned(b.numbered());
  using Live = std::vector<Interval>;
  EXPECT_EQ(plan.values[static_cast<size_t>(p)].live, (Live{{0, 2}}));
  EXPECT_EQ(plan.values[static_cast<size_t>(y)].live, (Live{{3, 3}, {5, 6}}));
  EXPECT_EQ(plan.arena_bytes, Dim(2 * 64));
}

TEST(MemoryPlan, ScratchIsForItsStepAndForEveryWorker) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId p = b.internal({4, 4});
  b.transpose(p, x);
  b.transpose(b.output({4, 4}), p);
  const MemoryPlan plan =
      planned(b.numbered(), options_of(64), {{StepId{0}, 100, 4}, {StepId{1}, 10}});
  ASSERT_EQ(plan.scratch.size(), 2u);
  EXPECT_EQ(plan.scratch[0].stride, Dim(128));
  EXPECT_EQ(plan.arena_bytes, Dim(4 * 128 + 64));
  EXPECT_EQ(plan.naive_bytes, Dim(4 * 128 + 64 + 64));
}

TEST(MemoryPlan, TextNamesEveryDecision) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({16, 2});
  b.unary(p, x);
  b.copy(q, p);
  b.transpose(b.output({2, 16}), q);
  const MemoryPlan plan = plan_memory(b.numbered(), {}, options_of());
  EXPECT_EQ(
      to_string(plan),
      "arena 128 bytes, lower bound 128, without reuse 256, optimal; alignment 16; best fit by "
      "size\n"
      "v1: 128 bytes at 0, live 0..1\n"
      "v2: 128 bytes at 0, live 1..2, view of v1\n"
      "dropped 1\n");
  EXPECT_EQ(
      memory_map(plan, b.numbered()),
      "arena 128 bytes, lower bound 128, without reuse 256, optimal; alignment 16; best fit by "
      "size\n"
      "offset  bytes  steps  value  shares\n"
      "0       128    0..1   't1'\n"
      "0       128    1..2   't2'   view of 't1'\n");
  EXPECT_EQ(plan, plan_memory(b.numbered(), {}, options_of()));
}

}  // namespace
}  // namespace burin::memory_plan_test
