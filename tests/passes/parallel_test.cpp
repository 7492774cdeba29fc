// Threads and index widths: which loops are cut, what a cut promises, when 32 bits are proven.
#include "select/threads/parallel.h"

#include "graph_fixture.h"
#include "select/choose.h"
#include "select/rows/row_blocks.h"
#include "select/schedule/index_width.h"
#include "select/select.h"

namespace burin::parallel_test {
namespace {

Hardware machine(int threads, int start_us) {
  Hardware hardware;
  hardware.vector.vector_bytes = 32;
  hardware.vector.registers = 16;
  hardware.vector.fma_per_cycle = 2;
  hardware.clock_mhz = 1000;
  hardware.threads_max = threads;
  hardware.thread_start_us = start_us;
  return hardware;
}

// y[i, j] = x[i, j] + 1
KernelGraph increment(GraphFixture& g, const Dim& rows, const Dim& columns) {
  const Operand x = g.input("x", {rows, columns}), y = g.output("y", {rows, columns});
  KernelBuilder kernel;
  const Index i = kernel.axis(rows), j = kernel.axis(columns);
  kernel.write(y, {i, j}, x.at({i, j}) + 1.0);
  g.kernel("Add", kernel);
  return g.graph;
}

// y[i] = x[i] + sum over k: x[k], from a let that has no axis of the write.
KernelGraph spread_sum(GraphFixture& g, int64_t summed) {
  const Operand x = g.input("x", {summed}), y = g.output("y", {4096});
  KernelBuilder kernel;
  const Index i = kernel.axis(4096);
  const Index k = kernel.reduce_axis(summed);
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, x.at({k})) + x.at({i}));
  g.kernel("ReduceSum", kernel);
  return g.graph;
}

Dim batch_of(GraphFixture& g, int64_t most) {
  g.graph.symbols.push_back(
      std::make_shared<const SymbolInfo>(SymbolInfo{"batch", SymbolOrigin::param, 1, most, 0}));
  return Index::symbol(g.graph.symbols.back());
}

int index_bits_of(const KernelGraph& graph, const Hardware& hardware) {
  return select(graph, hardware).kernels.at(StepId{0}).index_bits;
}
const LoopPlan& only(const LoopPlans& selection) { return selection.plans.at(StepId{0}); }

TEST(Parallel, LargeLoopsAreCutIntoChunksThatRepay) {
  GraphFixture g;
  const LoopPlans selection = choose_loops(increment(g, 4096, 256), machine(4, 10));
  ASSERT_TRUE(only(selection).cut.has_value());
  const Cut& cut = *only(selection).cut;
  EXPECT_EQ(cut.axis, 0) << "the outermost loop";
  EXPECT_EQ(cut.workers, 4);
  // 10 us at 1000 MHz are 10000 cycles; a row of 256 elements is 32 vectors, each of which takes
  // one to store, and 30 % of one to load.
  EXPECT_GE(cut.grain * 32 * 13 / 10, 10000);
  EXPECT_GE(cut.calls().constant(), 8);
  EXPECT_EQ(check_cut(only(selection)), "");
}

TEST(Parallel, SmallWorkStaysWithOneThread) {
  GraphFixture small, single;
  EXPECT_FALSE(only(choose_loops(increment(small, 8, 16), machine(4, 10))).cut.has_value());
  EXPECT_FALSE(only(choose_loops(increment(single, 4096, 256), machine(1, 10))).cut.has_value());
}

TEST(Parallel, SizesOfTheCallerDecideHowManyChunksThereAre) {
  GraphFixture g;
  const Dim batch = batch_of(g, kUnbounded);
  const LoopPlans selection = choose_loops(increment(g, batch, 256), machine(4, 10));
  ASSERT_TRUE(only(selection).cut.has_value());
  EXPECT_FALSE(only(selection).cut->calls().is_constant());
}

TEST(Parallel, WhatEveryChunkWouldDoIsNotCut) {
  GraphFixture long_sum, short_sum;
  EXPECT_FALSE(only(choose_loops(spread_sum(long_sum, 1 << 20), machine(4, 0))).cut.has_value())
      << "every chunk would sum everything";
  EXPECT_TRUE(only(choose_loops(spread_sum(short_sum, 4096), machine(4, 0))).cut.has_value());
}

// y[i] = x[i] / (sum over i: x[i]): one axis of the kernel is summed by the let and written over.
TEST(Parallel, AnAxisThatALetReducesIsNotCut) {
  GraphFixture g;
  const Operand x = g.input("x", {4096}), y = g.output("y", {4096});
  Kernel kernel;
  kernel.axes = {{4096, AxisKind::parallel, ""}};
  const Index i = Index::axis(0, 4096);
  Let sum;
  sum.reduced = {0};
  sum.op = Combiner::sum;
  sum.body = {x.at({i})};
  sum.accumulator = {Type::f32};
  kernel.lets = {sum};
  Write write;
  write.to = y.value();
  write.over = {0};
  write.at = {i};
  write.value = x.at({i}) / Expr::let(0, Type::f32, {});
  kernel.writes = {write};
  LoopPlan schedule = schedule_loops(kernel);
  schedule.cut = Cut{{0, 4096, 64}, 4};
  EXPECT_EQ(check_cut(schedule), "a let reduces the axis that is cut");
}

TEST(Parallel, WhatOneChunkNeedsOfAnotherIsNotCut) {
  // y[i] = t[i] + t[4095 - i], where t is a function of x.
  GraphFixture g;
  const Operand x = g.input("x", {4096}), y = g.output("y", {4096});
  KernelBuilder kernel;
  const Index i = kernel.axis(4096);
  const Expr there = kernel.let({i}, Expr::unary(Unary::exp, x.at({i})));
  kernel.write(y, {i}, there + Expr::let(0, Type::f32, {Index(4095) - i}));
  g.kernel("Mirror", kernel);
  const LoopPlans selection = choose_loops(g.graph, machine(4, 0));
  EXPECT_FALSE(only(selection).cut.has_value());
  LoopPlan wrong = only(selection);
  wrong.cut = Cut{{0, 4096, 64}, 4};
  EXPECT_EQ(check_cut(wrong), "a let is read at another point of the axis that is cut");
  wrong.cut->axis = 7;
  EXPECT_EQ(check_cut(wrong), "the cut names no axis");
}

// y = a' b, where b is a constant: its panels are prepacked, those of a, whose rows do not lie side
// by side along the depth, by the calls.
KernelGraph product(GraphFixture& g, const Dim& rows, int64_t columns = 64) {
  const Operand a = g.input("a", {64, rows}), b = g.constant("b", {64, columns}, -1),
                y = g.output("y", {rows, columns});
  KernelBuilder kernel;
  const Index m = kernel.axis(rows), n = kernel.axis(columns), k = kernel.reduce_axis(64);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {k}, a.at({k, m}) * b.at({k, n})));
  g.kernel("MatMul", kernel);
  return g.graph;
}

TEST(Parallel, PanelsOfRowsAreOfAllCalls) {
  GraphFixture fixed, open;
  for (const KernelGraph& graph :
       {product(fixed, 512), product(open, batch_of(open, kUnbounded))}) {
    const LoopPlans selection = choose_loops(graph, machine(4, 1));
    const LoopPlan& schedule = only(selection);
    ASSERT_TRUE(schedule.contraction && schedule.cut);
    ASSERT_EQ(schedule.cut->axis, schedule.contraction->m);
    EXPECT_FALSE(schedule.scratch_bytes.is_constant(0));
    EXPECT_EQ(scratches_of(schedule), Dim(1));
    // Panels that two chunks touch are not.
    LoopPlan between = schedule;
    between.cut->grain = between.contraction->tile.rows + 1;
    EXPECT_NE(scratches_of(between), Dim(1));
  }
}

// A second cache that holds fewer rows than there are.
Hardware near_machine() {
  Hardware hardware = machine(4, 0);
  hardware.memory.caches = {{.size_bytes = 8 << 10}, {.size_bytes = 64 << 10}};
  return hardware;
}

TEST(Parallel, PanelsOfABlockAreOfOneCall) {
  GraphFixture g;
  const LoopPlans selection = choose_loops(product(g, batch_of(g, 4096)), near_machine());
  const LoopPlan& schedule = only(selection);
  ASSERT_TRUE(schedule.contraction && schedule.cut);
  ASSERT_EQ(schedule.cut->axis, schedule.contraction->m);
  ASSERT_GT(schedule.contraction->block_rows, 0);
  // Every call packs its rows at the beginning of its scratch.
  EXPECT_NE(scratches_of(schedule), Dim(1));
}

TEST(Parallel, RowsOfOneTileStayInOneChunk) {
  for (const Hardware& hardware : {machine(4, 0), near_machine()}) {
    for (const int64_t columns : {8, 56, 60, 64, 100, 130}) {
      GraphFixture g;
      const LoopPlans selection = choose_loops(product(g, batch_of(g, 4096), columns), hardware);
      const LoopPlan& schedule = only(selection);
      ASSERT_TRUE(schedule.contraction && schedule.cut);
      ASSERT_EQ(schedule.cut->axis, schedule.contraction->m);
      const ContractionSchedule& made = *schedule.contraction;
      const int64_t together = rows_together(schedule);
      EXPECT_EQ(schedule.cut->grain % together, 0) << columns;
      EXPECT_EQ(made.block_rows % together, 0) << columns;
      for (const EdgeColumns& narrow : made.versions.columns)
        EXPECT_EQ(together % (int64_t{made.tile.rows} * narrow.blocks), 0) << columns;
      EXPECT_GE(together, made.versions.balanced.most);
      LoopPlan between = schedule;
      between.cut->grain += 1;
      EXPECT_EQ(check_cut(between), "a chunk ends inside of rows that are multiplied together");
    }
  }
}

TEST(Parallel, ScratchIsOfAsManyCallsAsThereMayBe) {
  GraphFixture g;
  const LoopPlans selection = choose_loops(increment(g, 512, 256), machine(4, 1));
  const LoopPlan& schedule = only(selection);
  ASSERT_TRUE(schedule.cut);
  EXPECT_EQ(scratches_of(schedule), Dim(4));
  LoopPlan few = schedule;
  few.cut->extent = 3;
  few.cut->grain = 1;
  EXPECT_EQ(scratches_of(few), Dim(3));
  few.cut.reset();
  EXPECT_EQ(scratches_of(few), Dim(1));
}

TEST(IndexWidth, IsProvenFromSizes) {
  GraphFixture small, bounded, large, open;
  EXPECT_EQ(index_bits_of(increment(small, 512, 256), machine(1, 0)), 32);
  const Dim few = batch_of(bounded, 1000);
  EXPECT_EQ(index_bits_of(increment(bounded, few, 256), machine(1, 0)), 32);
  const Dim many = batch_of(open, kUnbounded);
  EXPECT_EQ(index_bits_of(increment(open, many, 256), machine(1, 0)), 64);
  EXPECT_EQ(index_bits_of(increment(large, 1 << 20, 1 << 12), machine(1, 0)), 64);
}

}  // namespace
}  // namespace burin::parallel_test
