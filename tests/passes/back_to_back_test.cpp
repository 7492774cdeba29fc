// Two products back to back become one kernel: what forbids it, how the intermediate rows wait,
// what threads share, and what the checker finds.
#include "select/rows/back_to_back.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "select/fuse_options.h"
#include "small_hardware.h"

namespace burin::back_to_back_test {
namespace {

constexpr int64_t kRows = 70, kColumns = 20, kBetween = 48;

Hardware machine(int64_t cache_bytes = 1 << 20, int64_t last_bytes = 8 << 20) {
  Hardware hardware =
      small_hardware({{32768, 4, 64, 1}, {cache_bytes, 12, 32, 1}, {last_bytes, 40, 16, 1}});
  hardware.clock_mhz = 1000;
  hardware.threads_max = 4;
  hardware.thread_start_us = 1;
  hardware.memory.bandwidth_mb_per_s = 10000;
  return hardware;
}

FuseOptions options(const Hardware& hardware = machine()) {
  return fuse_options({}, hardware, true);
}

// y = activation(x w + b) v + more
struct Layers {
  GraphFixture g;
  Operand x, more, wide, active, narrow, y;
  explicit Layers(const Dim& height = kRows, int64_t between = kBetween)
      : x(g.input("x", {height, kColumns})),
        more(g.input("more", {height, kColumns})),
        wide(g.value("wide", {height, between})),
        active(g.value("active", {height, between})),
        narrow(g.value("narrow", {height, kColumns})),
        y(g.output("y", {height, kColumns})) {
    const Operand bias = g.constant("b", {between}, 1);
    matmul(g, "First", x, g.constant("w", {kColumns, between}, -1), wide);
    g.map("Activation", active, [&](const Indices& at) {
      const Expr one = wide.at(at) + bias.at({at[1]});
      return one * Expr::unary(Unary::exp, one * 0.0625);
    });
    matmul(g, "Second", active, g.constant("v", {between, kColumns}, 2), narrow);
  }
  void end() {
    g.map("Add", y, [&](const Indices& at) { return narrow.at(at) + more.at(at); });
  }
};

KernelGraph with_end(Layers& layers) {
  layers.end();
  return layers.g.graph;
}

const LoopPlan* joint(const LoopPlans& selection) {
  for (const auto& [step, schedule] : selection.plans) {
    if (schedule.second) return &schedule;
  }
  return nullptr;
}

TEST(BackToBack, TwoLayersAreOneKernelWithPanelsBetween) {
  Layers layers;
  const KernelGraph graph = with_end(layers), fused = fuse(graph, options());
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(graph, fused);
  const LoopPlans selection = choose_loops(fused, machine());
  expect_same(graph, selection.graph);
  const LoopPlan* schedule = joint(selection);
  ASSERT_NE(schedule, nullptr) << to_string(selection);
  EXPECT_EQ(check_back_to_back(*schedule), "");
  const int64_t block = schedule->contraction->block_rows;
  EXPECT_EQ(block % schedule->contraction->tile.rows, 0);
  EXPECT_EQ(block % schedule->second->tile.rows, 0);
  EXPECT_GE(block, kRows) << "all of them fit in the second cache";
  EXPECT_EQ(
      schedule->places[static_cast<size_t>(schedule->contraction->row_epilogue->value)].panel_rows,
      schedule->second->tile.rows);
  EXPECT_FALSE(schedule->second->row_epilogue.has_value());
  ASSERT_TRUE(schedule->cut.has_value()) << "threads share rows";
  EXPECT_EQ(schedule->cut->axis, schedule->contraction->m);
}

TEST(BackToBack, ABlockHasWhatStaysInTheCache) {
  Layers layers(4096);
  const Hardware small = machine(65536);
  const LoopPlans selection = choose_loops(fuse(with_end(layers), options(small)), small);
  const LoopPlan* schedule = joint(selection);
  ASSERT_NE(schedule, nullptr) << to_string(selection);
  const int64_t block = schedule->contraction->block_rows;
  EXPECT_LE(block * 4 * (kBetween + kColumns), 32768);
  EXPECT_GE(2 * block * 4 * (kBetween + kColumns), 32768);
}

TEST(BackToBack, NormsInFrontAndBehindStayWhatTheyAre) {
  Layers layers;
  GraphFixture& g = layers.g;
  g.map("Add", layers.y,
        [&](const Indices& at) { return layers.narrow.at(at) + layers.more.at(at); });
  const Operand norm = g.output("norm", layers.y.shape());
  KernelBuilder kernel;
  const Index i = kernel.axis(kRows), j = kernel.axis(kColumns);
  const Expr one = layers.narrow.at({i, j});
  const Expr total = kernel.reduce(Combiner::sum, {j}, one * one);
  kernel.write(norm, {i, j}, one * Expr::unary(Unary::rsqrt, total + 0.0625));
  g.kernel("Norm", kernel);
  const KernelGraph fused = fuse(g.graph, options());
  expect_same(g.graph, fused);
  const LoopPlans selection = choose_loops(fused, machine());
  expect_same(g.graph, selection.graph);
  const LoopPlan* schedule = joint(selection);
  ASSERT_NE(schedule, nullptr) << to_string(selection);
  EXPECT_TRUE(schedule->second->row_epilogue.has_value());
  EXPECT_EQ(check_back_to_back(*schedule), "");
  EXPECT_EQ(check_row_epilogue(*schedule), "");
}

TEST(BackToBack, SizesThatTheRunKnowsAreRowsToo) {
  const Symbol symbol =
      std::make_shared<const SymbolInfo>(SymbolInfo{"rows", SymbolOrigin::param, 1, 4096, 64});
  Layers layers(Index::symbol(symbol));
  layers.g.graph.symbols.push_back(symbol);
  const KernelGraph graph = with_end(layers), fused = fuse(graph, options());
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  for (const int64_t rows : {1, 7, 64, 200}) expect_same(graph, fused, {{"rows", rows}});
  const LoopPlans selection = choose_loops(fused, machine(65536));
  ASSERT_NE(joint(selection), nullptr) << to_string(selection);
}

TEST(BackToBack, WhatDoesNotPayStaysApart) {
  const auto count = [](const Hardware& hardware, int64_t rows = kRows,
                        int64_t between = kBetween) {
    Layers layers(rows, between);
    return count_kernels(fuse(with_end(layers), options(hardware)));
  };
  EXPECT_EQ(count(machine()), 1);
  EXPECT_EQ(count(machine(), 8), 2) << "no rows to speak of";
  EXPECT_EQ(count(machine(), kRows, 8), 2) << "no columns to speak of";
  // Half of 8 KiB has room for 15 rows of 68 floats; constants that fit in the second cache are
  // read again after 8 * 4 * 8 / 16 = 16 rows, all others after 8 * 4 * ceil(4 / 4) = 32.
  EXPECT_EQ(count(machine(8192)), 2) << "blocks would be too small";
  EXPECT_EQ(count(machine(16384)), 1);
  EXPECT_EQ(count(machine(16384, 4096)), 2) << "constants would come from memory each time";
  EXPECT_EQ(count(machine(32768, 4096)), 1);
  Layers layers;
  FuseOptions off = options();
  off.back_to_back = false;
  EXPECT_EQ(count_kernels(fuse(with_end(layers), off)), 2);
}

// Rows of a convolution share what they read: apart its operand is staged once, and here it would
// be packed for each tap.
TEST(BackToBack, RowsThatOverlapStayApart) {
  for (const int64_t taps : {1, 3}) {
    GraphFixture g;
    const Operand x = g.input("x", {kRows, kColumns}),
                  w = g.constant("w", {taps, kColumns, kBetween}, -1),
                  wide = g.value("wide", {kRows, kBetween}),
                  narrow = g.output("narrow", {kRows, kColumns});
    KernelBuilder kernel;
    const Index i = kernel.axis(kRows), n = kernel.axis(kBetween);
    const Index t = kernel.reduce_axis(taps), c = kernel.reduce_axis(kColumns);
    const Index at = i + t - taps / 2;
    const Expr element = Expr::cases({{{{at, 0, kRows}}, x.at({at, c})}}, x.zero());
    kernel.write(wide, {i, n}, kernel.reduce(Combiner::sum, {t, c}, element * w.at({t, c, n})));
    g.kernel("Conv", kernel);
    matmul(g, "Second", wide, g.constant("v", {kBetween, kColumns}, 2), narrow);
    EXPECT_EQ(count_kernels(fuse(g.graph, options())), taps == 1 ? 1 : 2);
  }
}

TEST(BackToBack, RowsThatOthersReadAreATensor) {
  Layers layers;
  layers.end();
  const Operand other = layers.g.output("other", layers.active.shape());
  layers.g.map("Other", other, [&](const Indices& at) { return layers.active.at(at) * 2.0; });
  const KernelGraph fused = fuse(layers.g.graph, options());
  EXPECT_GE(count_kernels(fused), 2) << to_string(fused);
  expect_same(layers.g.graph, fused);
  EXPECT_EQ(joint(choose_loops(fused, machine())), nullptr);
}

TEST(BackToBack, TheCheckerFindsRowsThatAreNotWhole) {
  Layers layers;
  const LoopPlans selection = choose_loops(fuse(with_end(layers), options()), machine());
  const LoopPlan& good = *joint(selection);
  ASSERT_EQ(check_back_to_back(good), "");
  const auto rows = static_cast<size_t>(good.contraction->row_epilogue->value);
  LoopPlan bad = good;
  bad.contraction->block_rows += 1;
  EXPECT_EQ(check_back_to_back(bad), "a block of rows ends inside of a tile");
  bad = good;
  bad.places[rows].panel_rows += 1;
  EXPECT_EQ(check_back_to_back(bad), "the intermediate rows of two products are no panels");
  bad = good;
  bad.places[rows].offset[0] = 0;
  bad.contraction->a_unpacked = false;
  EXPECT_EQ(check_back_to_back(bad),
            "the intermediate rows of two products lie in the panels of the first");
  bad = good;
  bad.scratch_bytes -= 64;
  EXPECT_EQ(check_back_to_back(bad),
            "the intermediate rows of two products do not fit their place");
  bad = good;
  bad.second->a.element = bad.second->a.element + 1.0;
  EXPECT_EQ(check_back_to_back(bad), "a product reads other rows than those before it");
  bad = good;
  bad.second->k = {bad.second->n};
  EXPECT_EQ(check_back_to_back(bad), "the depth of a product is not the columns of the one before");
  bad = good;
  bad.kernel.writes[0].value = bad.kernel.writes[0].value + good.second->a.element;
  EXPECT_EQ(check_back_to_back(bad), "a let in front of the rows is read behind them");
}

}  // namespace
}  // namespace burin::back_to_back_test
