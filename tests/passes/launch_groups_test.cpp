// Launch groups: which kernels become members of joint launches, and what the checker finds.
#include "select/joint/launch_groups.h"

#include <algorithm>

#include "graph_fixture.h"
#include "select/device/launch_walk.h"
#include "select/joint/launch_load.h"
#include "select/select.h"

namespace burin::launch_groups_test {
namespace {

Hardware device() {
  Hardware hardware;
  hardware.target = Target::kOpenCl;
  hardware.name = "small";
  hardware.clock_mhz = 1000;
  hardware.memory.caches = {{131072, 30, 128, 1}, {4194304, 200, 32, 1}};
  hardware.memory.bandwidth_mb_per_s = 500000;
  OpenClDevice& device = hardware.opencl;
  device.compute_units = 16;
  device.wave_size = 32;
  device.lanes = 64;
  device.vector_width = 4;
  device.items_max = 2048;
  device.register_bytes = 262144;
  device.launch_us = 5;
  device.work_group_size = 128;
  device.work_group_size_max = 1024;
  device.work_item_sizes_max = {1024, 1024, 64};
  device.local_memory_bytes = 32768;
  device.unit_local_memory_bytes = 65536;
  device.parameter_bytes_max = 1024;
  return hardware;
}

struct Scheduled {
  KernelGraph graph;
  std::map<StepId, KernelSchedule> kernels;
};

Scheduled scheduled(const KernelGraph& graph, const Hardware& hardware) {
  Selection selection = select(graph, hardware);
  return {std::move(selection.graph), std::move(selection.kernels)};
}

LaunchGroups planned(const Scheduled& one, const Hardware& hardware, ParallelFusion mode) {
  LaunchGroups plan = plan_launch_groups(one.graph, one.kernels, {}, hardware, mode);
  EXPECT_EQ(check_launch_groups(plan, one.graph, one.kernels, hardware), "");
  return plan;
}

std::string fault(const LaunchGroups& plan, const Scheduled& one, const Hardware& hardware) {
  return check_launch_groups(plan, one.graph, one.kernels, hardware);
}

// y = f(x) of `count` elements.
void map(GraphFixture& g, const Operand& y, const Operand& x) {
  g.map("Neg", y, [&](const Indices& at) { return -x.at(at); });
}

// a and b are made of x, c of a; y is their sum.
KernelGraph branches() {
  GraphFixture g;
  const Operand x = g.input("x", {64, 33}), y = g.output("y", {64, 33});
  const Operand a = g.value("a", {64, 33}), b = g.value("b", {64, 33}), c = g.value("c", {64, 33});
  map(g, a, x);
  map(g, c, a);
  map(g, b, x);
  g.map("Add", y, [&](const Indices& at) { return b.at(at) + c.at(at); });
  return g.graph;
}

TEST(LaunchGroups, BranchesRunBesideEachOther) {
  const Hardware hardware = device();
  const Scheduled one = scheduled(branches(), hardware);
  const LaunchGroups plan = planned(one, hardware, ParallelFusion::all);
  ASSERT_EQ(plan.groups.size(), 1U);
  const LaunchGroup& group = plan.groups[0];
  ASSERT_EQ(group.launches.size(), 1U);
  ASSERT_EQ(group.launches[0].members.size(), 2U);
  EXPECT_EQ(group.launches[0].items % hardware.opencl.wave_size, 0);
  ASSERT_EQ(plan.decisions.size(), 1U) << "the others depend on all before them";
  EXPECT_TRUE(plan.decisions[0].joint);
  KernelGraph moved = one.graph;
  moved = in_order(std::move(moved), plan.order);
  expect_same(one.graph, moved);
  EXPECT_EQ(run_order(moved.steps), plan.order);
  EXPECT_NE(plan.order, run_order(one.graph.steps));
  for (const Step& step : moved.steps)
    EXPECT_EQ(one.kernels.at(step.id).kernel, std::get<Kernel>(step));
}

TEST(LaunchGroups, TimeOfAFullDeviceIsNotSavedTwice) {
  const Hardware hardware = device();
  LaunchLoad few, many;
  few.items = many.items = 128;
  few.registers = many.registers = 32;
  few.alone_cycles = many.alone_cycles = 100000;
  few.busy_cycles = many.busy_cycles = 20000;
  few.groups = 16;
  many.groups = 16000;
  const double apart = 2 * launch_us({few}, hardware), joint = launch_us({few, few}, hardware);
  EXPECT_GT(apart - joint, 50) << "half of the device was idle";
  const double gain = 2 * launch_us({many}, hardware) - launch_us({many, many}, hardware);
  EXPECT_NEAR(gain, hardware.opencl.launch_us, 0.5) << "nothing but the time between launches";
}

TEST(LaunchGroups, TheLargestNeedsDecideOccupancy) {
  const Hardware hardware = device();
  LaunchLoad light, heavy;
  light.items = heavy.items = 128;
  light.groups = 4000;
  heavy.groups = 1;
  light.registers = 32;
  heavy.registers = 255;
  light.alone_cycles = heavy.alone_cycles = 50000;
  light.busy_cycles = heavy.busy_cycles = 10;
  EXPECT_EQ(resident_groups({light}, hardware), 16);
  EXPECT_EQ(resident_groups({light, heavy}, hardware), 2);
  EXPECT_GT(launch_us({light, heavy}, hardware),
            launch_us({light}, hardware) + launch_us({heavy}, hardware))
      << "what hides waiting is lost";
}

TEST(LaunchGroups, AutomaticLeavesThePeakOfLiveBytes) {
  GraphFixture g;
  const Operand x = g.input("x", {8}), y = g.output("y", {8}), z = g.output("z", {8});
  const Operand a = g.value("a", {1 << 16}), b = g.value("b", {1 << 16});
  const auto grow = [&](const Operand& to) {
    g.map("Grow", to, [&](const Indices&) { return x.at({Index(0)}); });
  };
  const auto shrink = [&](const Operand& to, const Operand& from) {
    g.map("Shrink", to, [&](const Indices& at) { return from.at({at[0] * 7}); });
  };
  grow(a);
  shrink(y, a);
  grow(b);
  shrink(z, b);
  const Hardware hardware = device();
  const Scheduled one = scheduled(g.graph, hardware);
  const LaunchGroups kept = planned(one, hardware, ParallelFusion::automatic);
  ASSERT_FALSE(kept.decisions.empty());
  EXPECT_FALSE(kept.decisions[0].joint);
  EXPECT_NE(kept.decisions[0].reason.find("live bytes"), std::string::npos)
      << kept.decisions[0].reason;
  const LaunchGroups all = planned(one, hardware, ParallelFusion::all);
  EXPECT_EQ(all.groups.size(), 2U);
}

// Two kernels that write halves of one value are independent; two that write the same are not.
TEST(LaunchGroups, PartsOfAConcatenationMayRunTogether) {
  for (const int64_t second : {32, 31}) {
    GraphFixture g;
    const Operand x = g.input("x", {4, 32}), y = g.output("y", {4, 64});
    for (const int64_t first : {int64_t{0}, second}) {
      KernelBuilder kernel;
      const Index i = kernel.axis(4), j = kernel.axis(32);
      kernel.write(y, {i, j + first}, -x.at({i, j}));
      g.kernel("Part", kernel);
    }
    const Hardware hardware = device();
    const Scheduled one = scheduled(g.graph, hardware);
    const LaunchGroups plan = planned(one, hardware, ParallelFusion::all);
    EXPECT_EQ(plan.groups.size(), second == 32 ? 1U : 0U);
  }
}

// A row per work-group waits at barriers, in work-groups of a size of its own.
TEST(LaunchGroups, WholeWorkGroupsWaitAtBarriers) {
  GraphFixture g;
  for (const auto& [count, length] : {std::pair{256, 4096}, std::pair{96, 250}}) {
    const std::string name = std::to_string(length);
    const Operand x = g.input("x" + name, {count, length}), y = g.output("y" + name, {count});
    KernelBuilder kernel;
    const Index i = kernel.axis(count), k = kernel.reduce_axis(length);
    kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, x.at({i, k})));
    g.kernel("Row", kernel);
  }
  const Hardware hardware = device();
  const Scheduled one = scheduled(g.graph, hardware);
  ASSERT_EQ(launches_of(one.kernels.at(StepId{0}).launches)[0]->cooperative, 128);
  ASSERT_EQ(launches_of(one.kernels.at(StepId{1}).launches)[0]->cooperative, 64);
  const LaunchGroups plan = planned(one, hardware, ParallelFusion::all);
  ASSERT_EQ(plan.groups.size(), 1U);
  const JointLaunch& launch = plan.groups[0].launches[0];
  EXPECT_EQ(launch.items, 128);
  for (const LaunchMember& member : launch.members)
    EXPECT_EQ(member.groups, Dim(member.items == 128 ? 256 : 48)) << "two rows of 96 in each";

  LaunchGroups part = plan;
  for (LaunchMember& member : part.groups[0].launches[0].members) member.groups -= 1;
  EXPECT_NE(fault(part, one, hardware), "");
}

TEST(LaunchGroups, CheckerFindsWhatDepends) {
  const Hardware hardware = device();
  const Scheduled one = scheduled(branches(), hardware);
  const LaunchGroups plan = planned(one, hardware, ParallelFusion::all);
  LaunchGroups wrong = plan;
  std::swap(wrong.order.front(), wrong.order.back());
  EXPECT_NE(fault(wrong, one, hardware), "");
  // a and c, which is made of a: beside each other, in the given order.
  wrong = plan;
  wrong.order = {StepId{0}, StepId{1}, StepId{2}, StepId{3}};
  wrong.groups[0].steps = {StepId{0}, StepId{1}};
  EXPECT_EQ(fault(wrong, one, hardware), "steps 0 and 1 depend on one another");
  wrong = plan;
  wrong.groups[0].launches[0].members.pop_back();
  EXPECT_NE(fault(wrong, one, hardware), "");
  wrong = plan;
  wrong.groups[0].launches[0].items = 48;
  EXPECT_NE(fault(wrong, one, hardware), "");
  wrong = plan;
  wrong.groups[0].launches[0].members[0].groups -= 1;
  EXPECT_EQ(fault(wrong, one, hardware), "a member has too few work-groups");
  wrong = plan;
  wrong.groups[0].launches[0].members[0].groups += 1;
  EXPECT_EQ(fault(wrong, one, hardware), "a member has too many work-groups");
}

TEST(LaunchGroups, CountedLaunchesAreNoMembers) {
  Hardware hardware = device();
  Scheduled one = scheduled(branches(), hardware);
  KernelSchedule& third = one.kernels.at(StepId{2});
  third.launches = {LaunchNode{LaunchLoop{0, 0, 4, third.launches}}};
  EXPECT_TRUE(planned(one, hardware, ParallelFusion::all).groups.empty());
}

TEST(LaunchGroups, ArgumentsAndLocalMemoryAreLimited) {
  Hardware hardware = device();
  hardware.opencl.parameter_bytes_max = 100;
  const Scheduled one = scheduled(branches(), hardware);
  const LaunchGroups plan = planned(one, hardware, ParallelFusion::all);
  ASSERT_FALSE(plan.decisions.empty());
  EXPECT_FALSE(plan.decisions[0].joint);
  EXPECT_NE(plan.decisions[0].reason.find("arguments"), std::string::npos);
}

}  // namespace
}  // namespace burin::launch_groups_test
