// Launches: what work-items share, when a kernel becomes several launches, and what the checker
// finds.
#include "select/device/launches.h"

#include "graph_fixture.h"
#include "select/choose.h"
#include "select/device/launch_walk.h"

namespace burin::launches_test {
namespace {

Hardware device(int compute_units, int launch_us) {
  Hardware hardware;
  hardware.target = Target::kOpenCl;
  hardware.clock_mhz = 1000;
  hardware.opencl.compute_units = compute_units;
  hardware.opencl.wave_size = 32;
  hardware.opencl.launch_us = launch_us;
  hardware.opencl.work_group_size = 128;
  hardware.opencl.work_group_size_max = 1024;
  hardware.opencl.work_item_sizes_max = {1024, 1024, 64};
  return hardware;
}

// Work-groups too small to be cooperative.
Hardware narrow_device(int compute_units, int launch_us) {
  Hardware hardware = device(compute_units, launch_us);
  hardware.opencl.work_item_sizes_max[0] = 16;
  return hardware;
}

// One with what tiles of products need.
Hardware tiling_device(int compute_units) {
  Hardware hardware = device(compute_units, 5);
  hardware.opencl.lanes = 128;
  hardware.opencl.vector_width = 4;
  hardware.opencl.items_max = 2048;
  hardware.opencl.register_bytes = 262144;
  hardware.opencl.local_memory_bytes = 32768;
  hardware.memory.caches = {{131072, 30, 128, 1}, {4194304, 200, 32, 1}};
  hardware.memory.bandwidth_mb_per_s = 500000;
  return hardware;
}

LoopPlan scheduled(KernelGraph& graph, const Hardware& hardware) {
  return best_plan(std::get<Kernel>(graph.steps[0]), graph.values, hardware);
}

// y[i, j] = exp(x[i, j] - sum over k: x[i, k])
KernelGraph& rows(GraphFixture& g, int64_t count, int64_t length) {
  const Operand x = g.input("x", {count, length}), y = g.output("y", {count, length});
  KernelBuilder kernel;
  const Index i = kernel.axis(count), j = kernel.axis(length);
  const Index k = kernel.reduce_axis(length);
  kernel.write(y, {i, j}, x.at({i, j}) - kernel.reduce(Combiner::sum, {k}, x.at({i, k})));
  g.kernel("Rows", kernel);
  return g.graph;
}

TEST(Launches, NeighboursInMemoryAreNeighboursInTheIndexSpace) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 5, 40, 64}), y = g.output("y", {6, 5, 40, 64});
  g.map("Neg", y, [&](const Indices& at) { return -x.at(at); });
  const LoopPlan schedule = scheduled(g.graph, device(4, 10));
  const auto launches = launches_of(schedule.launches);
  ASSERT_EQ(launches.size(), 1U);
  const std::vector<Dimension>& dimensions = launches[0]->dimensions;
  ASSERT_EQ(dimensions.size(), 3U);
  EXPECT_EQ(dimensions[0].axes, std::vector<int>{3});
  EXPECT_EQ(dimensions[1].axes, std::vector<int>{2});
  EXPECT_EQ(dimensions[2].axes, (std::vector<int>{0, 1})) << "what is left is flattened";
  EXPECT_EQ(dimensions[2].extent, Dim(30));
  EXPECT_EQ(dimensions[0].local * dimensions[1].local * dimensions[2].local, 128);
  EXPECT_EQ(schedule.scratch_bytes, Dim(0));
}

TEST(Launches, ManyRowsStayWithOneWorkItemEach) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(rows(g, 65536, 16), device(4, 10));
  EXPECT_EQ(launches_of(schedule.launches).size(), 1U);
  EXPECT_TRUE(schedule.places[0].scalar);
}

TEST(Launches, ALongRowIsSharedByACooperativeGroup) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(rows(g, 256, 4096), device(4, 10));
  const auto launches = launches_of(schedule.launches);
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0]->cooperative, 128);
  EXPECT_EQ(launches[0]->dimensions[0].extent, Dim(256)) << "a work-group per row";
  EXPECT_EQ(launches[0]->dimensions[0].local, 1);
  EXPECT_TRUE(schedule.places[0].scalar);
}

// y[i, j] = sum over k: x[i, k] * z[k, j]
KernelGraph& product(GraphFixture& g, int64_t m, int64_t n, int64_t depth) {
  const Operand x = g.input("x", {m, depth}), z = g.input("z", {depth, n});
  const Operand y = g.output("y", {m, n});
  KernelBuilder kernel;
  const Index i = kernel.axis(m), j = kernel.axis(n), k = kernel.reduce_axis(depth);
  kernel.write(y, {i, j}, kernel.reduce(Combiner::sum, {k}, x.at({i, k}) * z.at({k, j})));
  g.kernel("Product", kernel);
  return g.graph;
}

TEST(Launches, AProductHasTilesThatFitTheDevice) {
  GraphFixture g;
  const Hardware hardware = tiling_device(8);
  const LoopPlan schedule = scheduled(product(g, 512, 512, 256), hardware);
  const auto launches = launches_of(schedule.launches);
  ASSERT_EQ(launches.size(), 1U) << "there are tiles enough for eight compute units";
  ASSERT_TRUE(launches[0]->product);
  const GroupTile& tile = launches[0]->product->tile;
  EXPECT_EQ(tile.splits, 1);
  EXPECT_GE(tile.items(), hardware.opencl.wave_size);
  EXPECT_LE(tile.items(), hardware.opencl.work_group_size_max);
  EXPECT_LE(tile.depth * (tile.rows + tile.columns) * 4, hardware.opencl.local_memory_bytes);
  EXPECT_EQ(tile.item_columns % hardware.opencl.vector_width, 0);
  EXPECT_TRUE(launches[0]->product->a.along_depth) << "rows of x lie along the depth";
  EXPECT_FALSE(launches[0]->product->b.along_depth);
  EXPECT_TRUE(schedule.no_alias) << "tiles are written before others have read their operands";
}

TEST(Launches, ADeepProductWithFewTilesIsSplit) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(product(g, 32, 64, 8192), tiling_device(64));
  const auto launches = launches_of(schedule.launches);
  ASSERT_EQ(launches.size(), 2U) << "parts, then their sum";
  ASSERT_TRUE(launches[0]->product);
  EXPECT_GT(launches[0]->product->tile.splits, 1);
  EXPECT_FALSE(launches[1]->product);
  EXPECT_FALSE(schedule.scratch_bytes.is_constant(0)) << "parts lie in scratch";
}

TEST(Launches, FewLongRowsAreSharedByLaunches) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(rows(g, 4, 65536), narrow_device(64, 10));
  const auto launches = launches_of(schedule.launches);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_FALSE(schedule.places[0].scalar) << "the sum crosses launches";
  EXPECT_EQ(schedule.scratch_bytes, Dim(64)) << "four floats, rounded up to where arrays start";
  EXPECT_EQ(launches[1]->dimensions[0].extent, Dim(65536));
}

TEST(Launches, ALaunchThatCostsTooMuchIsNotMade) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(rows(g, 4, 64), device(64, 1000));
  EXPECT_EQ(launches_of(schedule.launches).size(), 1U);
}

TEST(Launches, WhatTheKernelWritesAndReadsStaysWithOneWorkItem) {
  GraphFixture g;
  const Operand x = g.input("x", {64}), y = g.output("y", {64});
  KernelBuilder kernel;
  const Index i = kernel.axis(64), j = kernel.axis(64);
  kernel.write(y, {i}, x.at({i}));
  kernel.write(y, {j}, y.at({Index(0)}) + x.at({j}));
  g.kernel("Both", kernel);
  const LoopPlan schedule = scheduled(g.graph, device(64, 0));
  for (const Launch* launch : launches_of(schedule.launches))
    EXPECT_TRUE(launch->dimensions.empty());
}

TEST(Launches, DoublesAreRefusedWhereThereAreNone) {
  GraphFixture g;
  const Operand x = g.input("x", {8}, Type::f64), y = g.output("y", {8}, Type::f64);
  g.map("Neg", y, [&](const Indices& at) { return -x.at(at); });
  Hardware hardware = device(4, 10);
  EXPECT_THROW(scheduled(g.graph, hardware), Refused);
  hardware.opencl.fp64 = true;
  EXPECT_NO_THROW(scheduled(g.graph, hardware));
}

// --- The checker, on schedules that are broken on purpose ---

Launch& launch_at(LoopPlan& schedule, size_t i) {
  return std::get<Launch>(schedule.launches.at(i).node);
}

TEST(CheckLaunches, FindsAVariableThatCrossesLaunches) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 4, 65536), narrow_device(64, 10));
  ASSERT_EQ(check_launches(schedule), "");
  schedule.places[0].scalar = true;
  EXPECT_EQ(check_launches(schedule), "a variable is read in another launch");
}

TEST(CheckLaunches, FindsATeamThatReadsWhatOthersOfItMake) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 4, 65536), narrow_device(64, 10));
  // Both launches as one of a cooperative group: the sums would be the work-items' own.
  Launch together = std::get<Launch>(schedule.launches[0].node);
  const Launch& second = std::get<Launch>(schedule.launches[1].node);
  together.nodes.insert(together.nodes.end(), second.nodes.begin(), second.nodes.end());
  together.dimensions.clear();
  together.cooperative = 16;
  schedule.launches = {{together}};
  EXPECT_EQ(check_launches(schedule), "the work-items of a group read what others of it make");
}

TEST(CheckLaunches, FindsLaunchesInTheWrongOrder) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 4, 65536), narrow_device(64, 10));
  std::swap(schedule.launches[0], schedule.launches[1]);
  EXPECT_EQ(check_launches(schedule), "a let is read before the launch that makes it");
}

TEST(CheckLaunches, FindsScratchThatIsShared) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 4, 65536), narrow_device(64, 10));
  schedule.places[0].axes.clear();
  EXPECT_EQ(check_launches(schedule), "work-items share the scratch of a let");
}

TEST(CheckLaunches, FindsElementsThatSeveralWorkItemsWrite) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 65536, 16), device(4, 10));
  Launch& launch = launch_at(schedule, 0);
  const int reduced = schedule.kernel.lets[0].reduced[0];
  launch.dimensions.push_back(
      {{reduced}, schedule.kernel.axes[static_cast<size_t>(reduced)].extent, 1});
  EXPECT_EQ(check_launches(schedule), "several work-items write one element");
}

TEST(CheckLaunches, FindsWhatIsLeftOutOrDoneTwice) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 4, 65536), narrow_device(64, 10));
  schedule.launches.push_back(schedule.launches[1]);
  EXPECT_EQ(check_launches(schedule), "a write is not made exactly once");
  schedule.launches.erase(schedule.launches.begin());
  EXPECT_EQ(check_launches(schedule), "a let is not made exactly once");
}

TEST(CheckLaunches, FindsExtentsThatAreNotThoseOfTheAxes) {
  GraphFixture g;
  LoopPlan schedule = scheduled(rows(g, 65536, 16), device(4, 10));
  launch_at(schedule, 0).dimensions[0].extent = 65535;
  EXPECT_EQ(check_launches(schedule), "a dimension has another extent than its axes");
}

}  // namespace
}  // namespace burin::launches_test
