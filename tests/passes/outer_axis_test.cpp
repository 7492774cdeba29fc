// Rows vectorised along the outer axis: which reductions are taken so, what their loops are, and
// that they compute the same.
#include "select/rows/outer_axis.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "select/program_of.h"
#include "select/threads/parallel.h"
#include "small_hardware.h"

namespace burin::outer_axis_test {
namespace {

Hardware machine(int threads = 1) {
  Hardware hardware = small_hardware({{65536, 4, 64, 1}});
  hardware.vector.vector_bytes = 32;
  hardware.threads_max = threads;
  return hardware;
}

const Kernel& first(const KernelGraph& graph) { return std::get<Kernel>(graph.steps[0]); }

// m[n, 0, h, w] = mean over c of x[n, c, h, w]
void mean_of_channels(GraphFixture& g, const std::string& name, const Operand& x,
                      const Operand& m) {
  KernelBuilder kernel;
  const Index n = kernel.axis(x.dim(0)), h = kernel.axis(x.dim(2)), w = kernel.axis(x.dim(3)),
              c = kernel.reduce_axis(x.dim(1));
  kernel.write(m, {n, 0, h, w}, kernel.reduce(Combiner::sum, {c}, x.at({n, c, h, w})) / 8.0);
  g.kernel(name, kernel);
}

// A LayerNorm over channels, of primitives.
KernelGraph norm_of_channels(const Shape& shape) {
  GraphFixture g;
  for (const Dim& dim : shape) dim.collect_symbols(g.graph.symbols);
  const Operand x = g.input("x", shape), y = g.output("y", shape),
                scale = g.constant("scale", {8}, 1);
  const Shape one{shape[0], 1, shape[2], shape[3]};
  const Operand mean = g.value("mean", one), variance = g.value("variance", one),
                apart = g.value("apart", shape), square = g.value("square", shape);
  const auto row = [](const Indices& at) { return Indices{at[0], 0, at[2], at[3]}; };
  mean_of_channels(g, "ReduceMean", x, mean);
  g.map("Sub", apart, [&](const Indices& at) { return x.at(at) - mean.at(row(at)); });
  g.map("Pow", square, [&](const Indices& at) { return apart.at(at) * apart.at(at); });
  mean_of_channels(g, "ReduceMean_1", square, variance);
  g.map("Div", y, [&](const Indices& at) {
    const Expr root = Expr::unary(Unary::sqrt, variance.at(row(at)) + 0.00390625);
    return apart.at(at) / root * scale.at({at[1]});
  });
  return g.graph;
}

LoopPlan scheduled(const KernelGraph& graph, const Hardware& hardware) {
  KernelGraph copy = graph;
  return best_plan(first(graph), copy.values, hardware);
}

// The loops say what the kernel says, whose axes and lets are others.
void expect_same_kernel(const KernelGraph& graph, const LoopPlan& schedule,
                        const std::map<std::string, int64_t>& symbols = {}) {
  KernelGraph with = graph;
  with.steps[0] = schedule.kernel;
  expect_same(graph, with, symbols);
}

TEST(OuterAxis, ANormOverChannelsIsOneKernelWithPointsInnermost) {
  const KernelGraph graph = norm_of_channels({2, 8, 5, 6});
  const KernelGraph fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(graph, fused);
  const LoopPlan schedule = scheduled(fused, machine());
  ASSERT_TRUE(schedule.outer_axis);
  expect_same_kernel(fused, schedule);
  // Rows and columns are one axis; what is made of a row's results is made once for it.
  EXPECT_EQ(
      to_string(schedule),
      "row: vectorised along i2, 64-bit indices\n"
      "  for i0 in 0 .. 2\n"
      "    for i2 in 0 .. 30\n"
      "      begin let0\n"
      "    for i1 in 0 .. 8\n"
      "      for i2 in 0 .. 30\n"
      "        let0 <- v0[i0, i1, (i2 // 6), (i2 % 6)] when true\n"
      "    for i2 in 0 .. 30\n"
      "      define let1\n"
      "    for i2 in 0 .. 30\n"
      "      begin let2\n"
      "    for i1 in 0 .. 8\n"
      "      for i2 in 0 .. 30\n"
      "        let2 <- ((v0[i0, i1, (i2 // 6), (i2 % 6)] - let1[i0, i2]) * (v0[i0, i1, (i2 // "
      "6), (i2 % 6)] - let1[i0, i2])) when true\n"
      "    for i2 in 0 .. 30\n"
      "      define let3\n"
      "    for i1 in 0 .. 8\n"
      "      for i2 in 0 .. 30\n"
      "        store 0 := (((v0[i0, i1, (i2 // 6), (i2 % 6)] - let1[i0, i2]) / let3[i0, i2]) * "
      "v2[i1]) when true\n");
}

TEST(OuterAxis, PointsThatOnlyTheRunKnowsGoByBlocks) {
  const Dim n = sized("n", 1, 8, 2), h = sized("h", 1, 64, 16), w = sized("w", 1, 64, 16);
  const KernelGraph graph = norm_of_channels({n, 8, h, w});
  const KernelGraph fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const LoopPlan schedule = scheduled(fused, machine());
  ASSERT_TRUE(schedule.outer_axis);
  EXPECT_EQ(schedule.outer_axis->points, 384);
  expect_same_kernel(fused, schedule, {{"n", 2}, {"h", 3}, {"w", 5}});
  // What lets keep is that of a block.
  for (const LetPlace& place : schedule.places) EXPECT_EQ(place.axes.size(), 1u);
  EXPECT_EQ(schedule.scratch_bytes, Dim(4 * 384 * 4));
}

TEST(OuterAxis, ThreadsShareWholeBlocks) {
  const KernelGraph graph = fuse(norm_of_channels({1, 8, 96, 100}), {});
  LoopPlan schedule = scheduled(graph, machine(4));
  ASSERT_TRUE(schedule.outer_axis);
  const int64_t points = schedule.outer_axis->points;
  cut_for_threads(schedule, machine(4),
                  [&](const LoopPlan& one) { return program_of(one, graph.values); });
  ASSERT_TRUE(schedule.cut);
  EXPECT_EQ(schedule.cut->axis, schedule.outer_axis->axis);
  EXPECT_EQ(schedule.cut->grain % points, 0);
  const auto& blocks = std::get<ForLoop>(schedule.loops.at(0).node);
  EXPECT_EQ(blocks.axis, schedule.outer_axis->block_axis);
  EXPECT_EQ(blocks.begin, floordiv(Index::symbol(cut_first()), points));
  EXPECT_EQ(blocks.end, ceildiv(Index::symbol(cut_last()), points));
}

// y[n, c, p] = exp(x - greatest) / sum of exp(x - greatest), over c
KernelGraph softmax_of_channels(int64_t channels) {
  GraphFixture g;
  const Operand x = g.input("x", {2, channels, 24}), y = g.output("y", {2, channels, 24});
  KernelBuilder kernel;
  const Index n = kernel.axis(2), c = kernel.axis(channels), p = kernel.axis(24),
              k = kernel.reduce_axis(channels), l = kernel.reduce_axis(channels);
  const Expr greatest = kernel.reduce(Combiner::max, {k}, x.at({n, k, p}));
  const auto e = [&](const Index& at) {
    return Expr::unary(Unary::exp, x.at({n, at, p}) - greatest);
  };
  const Expr sum = kernel.reduce(Combiner::sum, {l}, e(l));
  kernel.write(y, {n, c, p}, e(c) / sum);
  g.kernel("Softmax", kernel);
  return g.graph;
}

TEST(OuterAxis, ShortRowsAndLongSumsKeepTheirOwnLoops) {
  EXPECT_TRUE(scheduled(softmax_of_channels(4), machine()).outer_axis);
  EXPECT_FALSE(scheduled(softmax_of_channels(3), machine()).outer_axis);
  EXPECT_TRUE(scheduled(softmax_of_channels(4096), machine()).outer_axis);
  EXPECT_FALSE(scheduled(softmax_of_channels(4097), machine()).outer_axis);
}

TEST(OuterAxis, RowsInMemoryAndFewPointsKeepTheirOwnLoops) {
  const auto sum = [](const Shape& shape, bool along) {
    GraphFixture g;
    const Operand x = g.input("x", shape), y = g.output("y", {along ? shape[0] : shape[1]});
    KernelBuilder kernel;
    const Index i = kernel.axis(y.dim(0)), j = kernel.reduce_axis(along ? shape[1] : shape[0]);
    kernel.write(y, {i}, kernel.reduce(Combiner::sum, {j}, along ? x.at({i, j}) : x.at({j, i})));
    g.kernel("ReduceSum", kernel);
    return scheduled(g.graph, machine()).outer_axis.has_value();
  };
  EXPECT_FALSE(sum({32, 64}, true));
  EXPECT_TRUE(sum({64, 32}, false));
  EXPECT_FALSE(sum({64, 3}, false));
}

// y[n, d] = sum over t of x[n, t, d] / sum over t of mask[n, t]: the mean of what a mask leaves.
KernelGraph masked_mean(const Dim& terms, const Dim& counted) {
  GraphFixture g;
  for (const Dim& dim : {terms, counted}) dim.collect_symbols(g.graph.symbols);
  const Operand x = g.input("x", {2, terms, 24}), mask = g.input("mask", {2, counted}),
                y = g.output("y", {2, 24});
  KernelBuilder kernel;
  const Index n = kernel.axis(2), d = kernel.axis(24), t = kernel.reduce_axis(terms),
              u = kernel.reduce_axis(counted);
  const Expr total = kernel.reduce(Combiner::sum, {t}, x.at({n, t, d}));
  kernel.write(y, {n, d}, total / kernel.reduce(Combiner::sum, {u}, mask.at({n, u})));
  g.kernel("Mean", kernel);
  return g.graph;
}

TEST(OuterAxis, WhatAllPointsShareIsSummedAtEach) {
  const Dim seq = sized("seq", 4, 64, 16);
  const KernelGraph graph = masked_mean(seq, seq);
  const LoopPlan schedule = scheduled(graph, machine());
  ASSERT_TRUE(schedule.outer_axis);
  for (const Let& let : schedule.kernel.lets) EXPECT_EQ(let.over.size(), 2u);
  expect_same_kernel(graph, schedule, {{"seq", 5}});
  // Not where that would be the longer sum.
  EXPECT_TRUE(scheduled(masked_mean(16, 16), machine()).outer_axis);
  EXPECT_FALSE(scheduled(masked_mean(16, 17), machine()).outer_axis);
}

TEST(OuterAxis, AFunctionThatReductionAndResultNeedIsComputedOnce) {
  GraphFixture g;
  const Operand x = g.input("x", {2, 12, 24}), y = g.output("y", {2, 12, 24}),
                greatest = g.value("greatest", {2, 1, 24}), e = g.value("e", {2, 12, 24}),
                sum = g.value("sum", {2, 1, 24});
  const auto reduce = [&](const std::string& name, Combiner op, const Operand& from,
                          const Operand& to) {
    KernelBuilder kernel;
    const Index n = kernel.axis(2), p = kernel.axis(24), c = kernel.reduce_axis(12);
    kernel.write(to, {n, 0, p}, kernel.reduce(op, {c}, from.at({n, c, p})));
    g.kernel(name, kernel);
  };
  const auto row = [](const Indices& at) { return Indices{at[0], 0, at[2]}; };
  reduce("ReduceMax", Combiner::max, x, greatest);
  g.map("Exp", e, [&](const Indices& at) {
    return Expr::unary(Unary::exp, x.at(at) - greatest.at(row(at)));
  });
  reduce("ReduceSum", Combiner::sum, e, sum);
  g.map("Div", y, [&](const Indices& at) { return e.at(at) / sum.at(row(at)); });
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const LoopPlan schedule = scheduled(fused, machine());
  ASSERT_TRUE(schedule.outer_axis);
  expect_same_kernel(fused, schedule);
  int functions = 0;
  const auto count = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) { functions += node.kind == ExprKind::unary; });
  };
  for (const Let& let : schedule.kernel.lets) count(let.body[0]);
  count(schedule.kernel.writes[0].value);
  EXPECT_EQ(functions, 1);
}

}  // namespace
}  // namespace burin::outer_axis_test
