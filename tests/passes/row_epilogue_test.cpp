// Row epilogues: a normalisation becomes a part of the contraction that makes its
// rows; what forbids it, how rows wait, what threads share, and what the checker finds.
#include "select/rows/row_epilogue.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "kernel/run_order.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "select/choose.h"
#include "select/program_of.h"
#include "select/threads/parallel.h"
#include "small_hardware.h"

namespace burin::row_epilogue_test {
namespace {

constexpr int64_t kRows = 40, kColumns = 24;

Hardware machine(int64_t cache_bytes = 1 << 20) {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}, {cache_bytes, 12, 32, 1}});
  hardware.clock_mhz = 1000;
  hardware.threads_max = 4;
  hardware.thread_start_us = 1;
  return hardware;
}

FuseOptions options() {
  FuseOptions out;
  out.row_epilogue_bytes = 1 << 19;
  out.row_epilogue_rows = 16;
  return out;
}

KernelGraph fused_without(const KernelGraph& graph) {
  FuseOptions off = options();
  off.row_epilogue = false;
  return fuse(graph, off);
}

// y[i, j] = x[i, j] / sqrt(sum of the squares of the row) * (j / 8 + 1)
void normalize(GraphFixture& g, const std::string& name, const Operand& x, const Operand& y,
               bool down = false) {
  const Operand scale = g.constant(name + "_scale", {kColumns}, 1);
  KernelBuilder kernel;
  const Index i = kernel.axis(x.dim(0)), j = kernel.axis(x.dim(1));
  const Expr one = x.at({i, j});
  const Expr total = kernel.reduce(Combiner::sum, {down ? i : j}, one * one);
  kernel.write(y, {i, j}, one * Expr::unary(Unary::rsqrt, total + 0.0625) * scale.at({j}));
  g.kernel(name, kernel);
}

struct Stream {
  GraphFixture g;
  Operand x, more, rows;
  explicit Stream(const Dim& height = kRows)
      : x(g.input("x", {height, kColumns})),
        more(g.input("more", {height, kColumns})),
        rows(g.value("rows", {height, kColumns})) {
    const Operand product = g.value("product", rows.shape());
    matmul(g, "MatMul", x, g.constant("w", {kColumns, kColumns}, -1), product);
    g.map("Add", rows, [&](const Indices& at) { return product.at(at) + more.at(at); });
  }
  Operand output(const char* name) { return g.output(name, rows.shape()); }
  Operand value(const char* name) { return g.value(name, rows.shape()); }
};

LoopPlans selected(const KernelGraph& graph, const Hardware& hardware) {
  LoopPlans out = choose_loops(graph, hardware);
  expect_same(graph, out.graph);
  return out;
}

const LoopPlan* with_epilogue(const LoopPlans& selection) {
  for (const auto& [step, schedule] : selection.plans) {
    if (schedule.contraction && schedule.contraction->row_epilogue) return &schedule;
  }
  return nullptr;
}

TEST(RowEpilogue, AResidualStreamAndItsNormalisationAreTwoWritesOfOneKernel) {
  Stream s;
  normalize(s.g, "Norm", s.rows, s.output("y"));
  const Operand later = s.output("later");
  s.g.map("Later", later, [&](const Indices& at) { return s.rows.at(at) * 2.0; });
  EXPECT_EQ(count_kernels(fused_without(s.g.graph)), 3);
  const KernelGraph fused = fuse(s.g.graph, options());
  ASSERT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(s.g.graph, fused);
  const LoopPlans selection = selected(fused, machine());
  const LoopPlan* schedule = with_epilogue(selection);
  ASSERT_NE(schedule, nullptr) << to_string(selection);
  EXPECT_EQ(schedule->kernel.writes.size(), 2u);
  EXPECT_EQ(schedule->contraction->row_epilogue->write, 0) << "rows are read where they are stored";
  EXPECT_EQ(schedule->contraction->block_rows, 0) << "all of them fit in the second cache";
  EXPECT_EQ(check_row_epilogue(*schedule), "");
}

TEST(RowEpilogue, RowsThatNobodyElseReadsWaitInScratch) {
  Stream s;
  normalize(s.g, "Norm", s.rows, s.output("y"));
  const KernelGraph fused = fuse(s.g.graph, options());
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const LoopPlans selection = selected(fused, machine(4096));
  const LoopPlan* schedule = with_epilogue(selection);
  ASSERT_NE(schedule, nullptr) << to_string(selection);
  const RowEpilogue& epilogue = *schedule->contraction->row_epilogue;
  EXPECT_EQ(epilogue.write, -1);
  // Half of the cache, in whole tiles.
  EXPECT_GT(schedule->contraction->block_rows, 0);
  EXPECT_LE(schedule->contraction->block_rows * kColumns * 4, 2048);
  EXPECT_EQ(schedule->contraction->block_rows % schedule->contraction->tile.rows, 0);
  EXPECT_FALSE(schedule->places[static_cast<size_t>(epilogue.value)].scalar);
  EXPECT_EQ(check_row_epilogue(*schedule), "");
}

// What calls functions is computed in the tile, before elements go to the rows that wait: there only
// what is left of it is done.
TEST(RowEpilogue, AFunctionOfRowsThatWaitIsComputedOnce) {
  for (const int64_t height : {40, 41}) {
    GraphFixture g;
    const Operand x = g.input("x", {height, kColumns}), product = g.value("product", x.shape()),
                  rows = g.value("rows", x.shape());
    matmul(g, "MatMul", x, g.constant("w", {kColumns, kColumns}, -1), product);
    g.map("Gate", rows, [&](const Indices& at) {
      const Expr one = product.at(at) * 0.015625;
      return one / (Expr::unary(Unary::exp, -one) + 1.0);
    });
    normalize(g, "Norm", rows, g.output("y", x.shape()));
    const KernelGraph fused = fuse(g.graph, options());
    const LoopPlans chosen = choose_loops(fused, machine(4096));
    const LoopPlan* schedule = with_epilogue(chosen);
    ASSERT_NE(schedule, nullptr) << to_string(chosen);
    EXPECT_EQ(schedule->contraction->row_epilogue->write, -1);
    const Selection selection = with_programs(chosen, machine(4096));
    ASSERT_EQ(selection.kernels.size(), 1u);
    const loops::Program& program = *selection.kernels.begin()->second.program;
    const std::vector<HostTensor> inputs = sample_inputs(g.graph, {});
    const RunResult wanted = interpret(g.graph, inputs, {});
    ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
    Environment environment;
    environment.tensors[selection.graph.inputs[0]] = inputs[0];
    ASSERT_EQ(loops::run_loops(program, selection.graph.values, environment).status, kRunOk);
    const HostTensor& got =
        environment.tensor(selection.graph.values, selection.graph.outputs[0]);
    for (int64_t i = 0; i < got.elements(); ++i)
      ASSERT_NEAR(got.get(i).number, wanted.outputs[0].get(i).number, 1e-4)
          << height << " rows, element " << i << "\n"
          << loops::to_string(program);
  }
}

TEST(RowEpilogue, ANormOfANormOfWhichBothAreReadIsAThirdWrite) {
  Stream s;
  const Operand once = s.value("once");
  normalize(s.g, "Norm", s.rows, once);
  normalize(s.g, "Again", once, s.output("y"));
  const Operand later = s.output("later");
  s.g.map("Later", later, [&](const Indices& at) { return s.rows.at(at) - once.at(at); });
  const KernelGraph fused = fuse(s.g.graph, options());
  ASSERT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(s.g.graph, fused);
  const LoopPlans selection = selected(fused, machine());
  ASSERT_NE(with_epilogue(selection), nullptr) << to_string(selection);
  EXPECT_EQ(with_epilogue(selection)->kernel.writes.size(), 3u);
}

TEST(RowEpilogue, SizesThatTheRunKnowsAreRowsToo) {
  GraphFixture g;
  const Symbol symbol =
      std::make_shared<const SymbolInfo>(SymbolInfo{"rows", SymbolOrigin::param, 1, 4096, 64});
  Stream s(Index::symbol(symbol));
  s.g.graph.symbols.push_back(symbol);
  normalize(s.g, "Norm", s.rows, s.output("y"));
  const KernelGraph fused = fuse(s.g.graph, options());
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  for (const int64_t rows : {1, 7, 64}) expect_same(s.g.graph, fused, {{"rows", rows}});
  const LoopPlans selection = choose_loops(fused, machine(1 << 18));
  ASSERT_NE(with_epilogue(selection), nullptr) << to_string(selection);
  EXPECT_GT(with_epilogue(selection)->contraction->block_rows, 0);
}

TEST(RowEpilogue, WhatHasNoRoomOrGoesDownColumnsStaysApart) {
  const auto count = [](FuseOptions given, bool down, int64_t rows) {
    Stream s(rows);
    normalize(s.g, "Norm", s.rows, s.output("y"), down);
    return count_kernels(fuse(s.g.graph, given));
  };
  EXPECT_EQ(count(options(), false, kRows), 1);
  EXPECT_EQ(count(options(), true, kRows), 2);
  EXPECT_EQ(count(options(), false, 8), 2) << "no rows to speak of";
  FuseOptions tight = options();
  tight.row_epilogue_bytes = 15 * kColumns * 4;
  EXPECT_EQ(count(tight, false, kRows), 2) << "a block of rows would be too small";
  tight.row_epilogue_bytes = 16 * kColumns * 4;
  EXPECT_EQ(count(tight, false, kRows), 1);
  tight.row_epilogue = false;
  EXPECT_EQ(count(tight, false, kRows), 2);
}

TEST(RowEpilogue, NobodyWaitsForRowsThatWereThereBefore) {
  // What the normalisation reads is made from all rows: it cannot run with them.
  Stream s;
  const Operand norm = s.output("y"), top = s.g.value("top", {1, 1});
  KernelBuilder highest;
  const Index i = highest.axis(kRows), j = highest.axis(kColumns);
  highest.write(top, {0, 0}, highest.reduce(Combiner::max, {i, j}, s.rows.at({i, j})));
  s.g.kernel("Highest", highest);
  KernelBuilder kernel;
  const Index m = kernel.axis(kRows), n = kernel.axis(kColumns);
  const Expr one = s.rows.at({m, n});
  const Expr total = kernel.reduce(Combiner::sum, {n}, one * one);
  kernel.write(norm, {m, n}, one / (total + top.at({0, 0})));
  s.g.kernel("Norm", kernel);
  const KernelGraph fused = fuse(s.g.graph, options());
  EXPECT_EQ(count_kernels(fused), 3) << to_string(fused);
  expect_same(s.g.graph, fused);
}

TEST(RowEpilogue, ThreadsShareRows) {
  Stream s(int64_t{512});
  normalize(s.g, "Norm", s.rows, s.output("y"));
  const LoopPlans selection = choose_loops(fuse(s.g.graph, options()), machine());
  const LoopPlan* schedule = with_epilogue(selection);
  ASSERT_NE(schedule, nullptr);
  ASSERT_TRUE(schedule->cut.has_value());
  EXPECT_EQ(schedule->cut->axis, schedule->contraction->m);
  EXPECT_EQ(schedule->cut->grain % schedule->contraction->tile.rows, 0);
  EXPECT_GE(schedule->cut->chunks().constant(), 4);
}

TEST(RowEpilogue, TheCheckerFindsRowsThatAreNotWhole) {
  Stream s;
  normalize(s.g, "Norm", s.rows, s.output("y"));
  const Operand later = s.output("later");
  s.g.map("Later", later, [&](const Indices& at) { return s.rows.at(at) * 2.0; });
  const LoopPlans selection = choose_loops(fuse(s.g.graph, options()), machine());
  const LoopPlan& good = *with_epilogue(selection);
  ASSERT_EQ(check_row_epilogue(good), "");
  LoopPlan bad = good;
  bad.contraction->block_rows = bad.contraction->tile.rows + 1;
  EXPECT_EQ(check_row_epilogue(bad),
            "a block of rows ends inside of those that are multiplied together");
  bad = good;
  bad.row_epilogue.pop_back();
  EXPECT_EQ(check_row_epilogue(bad), "a result of a row is not stored once");
  bad = good;
  bad.row_epilogue.insert(bad.row_epilogue.begin(),
                          LoopNode{Store{0, bad.kernel.writes[0].value, {}}});
  EXPECT_EQ(check_row_epilogue(bad), "a result of a row is not stored once");
  bad = good;
  bad.row_epilogue.clear();
  EXPECT_EQ(check_row_epilogue(bad), "a let of a row is not made once");
  bad = good;
  bad.contraction->row_epilogue->value -= 1;
  EXPECT_NE(check_row_epilogue(bad), "");
  bad = good;
  const Let& value = bad.kernel.lets[static_cast<size_t>(bad.contraction->row_epilogue->value)];
  std::vector<Index> at;
  for (const int axis : value.over)
    at.push_back(Index::axis(axis, bad.kernel.axes[static_cast<size_t>(axis)].extent));
  bad.kernel.writes[1].value =
      Expr::let(bad.contraction->row_epilogue->value, Type::f32, {at[0] * 0, at[1]});
  EXPECT_EQ(check_row_epilogue(bad), "another row is read");
  bad = good;
  bad.kernel.writes[0].value = bad.kernel.writes[0].value + 1.0;
  EXPECT_EQ(check_row_epilogue(bad), "what is read back is not what was stored");
}

}  // namespace
}  // namespace burin::row_epilogue_test
