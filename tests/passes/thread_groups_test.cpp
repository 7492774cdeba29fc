// Neighbouring kernels that threads take side by side: which are, which must not be, and that a
// checker finds the latter.
#include "select/joint/thread_groups.h"

#include <gtest/gtest.h>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "select/select.h"

namespace burin::thread_groups_test {
namespace {

Hardware machine(int threads) {
  Hardware hardware = load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/x86-64-v4-vnni.json");
  hardware.threads_max = threads;
  return hardware;
}

// y[t, d] = max(y[t - 1, d], x[t, d]) / 2 + x[t, d] for so many steps: nothing for threads to
// share.
void recurrence(GraphFixture& g, const Operand& x, const Operand& y, int64_t steps) {
  constexpr int64_t kUnits = 48;
  KernelBuilder kernel;
  const Index t = kernel.axis(steps, {}, AxisKind::sequential), d = kernel.axis(kUnits);
  const int state_let = kernel.next_let();
  const Expr before =
      Expr::cases({{{{t, 1, steps}}, Expr::let(state_let, Type::f32, {t - 1, kUnits - 1 - d})}},
                  Expr::constant(Type::f32, 0));
  const Expr state =
      kernel.let({t, d}, max(before, x.at({t, d})) * Expr::constant(Type::f32, 0.5) + x.at({t, d}));
  kernel.write(y, {t, d}, state);
  g.kernel("recurrence", kernel);
}

struct Planned {
  Selection selection;
  ThreadGroups groups;
};
Planned planned(const GraphFixture& g, const Hardware& hardware,
                const std::set<StepId>& views = {}) {
  Planned out{select(g.graph, hardware), {}};
  out.groups = plan_thread_groups(out.selection.graph, out.selection.kernels, views, hardware);
  EXPECT_EQ(check_thread_groups(out.groups, out.selection.graph, out.selection.kernels, views), "");
  return out;
}

GraphFixture two_apart(int64_t steps) {
  GraphFixture g;
  for (const char* const name : {"a", "b"}) {
    const Operand x = g.input(std::string("x") + name, {steps, 48}),
                  y = g.output(std::string("y") + name, {steps, 48});
    recurrence(g, x, y, steps);
  }
  return g;
}

TEST(ThreadGroups, KernelsThatNothingTiesRunSideBySide) {
  const Planned both = planned(two_apart(4096), machine(8));
  ASSERT_EQ(both.groups.groups.size(), 1U);
  EXPECT_EQ(both.groups.groups[0].steps, (std::vector<StepId>{StepId{0}, StepId{1}}));
  EXPECT_EQ(both.groups.groups[0].parts, Dim(2));
  EXPECT_EQ(both.groups.group_of(StepId{1}), &both.groups.groups[0]);
}

TEST(ThreadGroups, WhatDoesNotRepayItStaysApart) {
  // One thread; a few steps; a kernel that is not run.
  EXPECT_TRUE(planned(two_apart(4096), machine(1)).groups.groups.empty());
  EXPECT_TRUE(planned(two_apart(4), machine(8)).groups.groups.empty());
  EXPECT_TRUE(planned(two_apart(4096), machine(8), {StepId{1}}).groups.groups.empty());
}

GraphFixture one_behind_the_other() {
  GraphFixture g;
  const Operand x = g.input("x", {4096, 48}), y = g.value("y", {4096, 48}),
                z = g.output("z", {4096, 48});
  recurrence(g, x, y, 4096);
  recurrence(g, y, z, 4096);
  return g;
}

TEST(ThreadGroups, AKernelBehindAnotherDoesNotRunBesideIt) {
  const Hardware hardware = machine(8);
  Planned chain = planned(one_behind_the_other(), hardware);
  EXPECT_TRUE(chain.groups.groups.empty());
  chain.groups.groups = {{{StepId{0}, StepId{1}}, 2}};
  EXPECT_EQ(check_thread_groups(chain.groups, chain.selection.graph, chain.selection.kernels, {}),
            "a member reads what another one writes");
}

TEST(ThreadGroups, TheCheckerFindsWhatIsBroken) {
  const Planned both = planned(two_apart(4096), machine(8));
  const auto fault_of = [&](ThreadGroups groups, const std::set<StepId>& views = {}) {
    return check_thread_groups(groups, both.selection.graph, both.selection.kernels, views);
  };
  EXPECT_EQ(fault_of({{{{StepId{0}}, 1}}}), "a group of one kernel");
  EXPECT_EQ(fault_of({{{{StepId{1}, StepId{0}}, 2}}}), "members do not follow each other");
  EXPECT_EQ(fault_of({{{{StepId{0}, StepId{1}}, 3}}}), "a group has other parts than its members");
  EXPECT_EQ(fault_of({{{{StepId{0}, StepId{1}}, 2}}}, {StepId{0}}),
            "a member is no kernel that runs");
  EXPECT_EQ(fault_of({{{{StepId{0}, StepId{1}}, 2}, {{StepId{0}, StepId{1}}, 2}}}),
            "a kernel is in two groups");
}

}  // namespace
}  // namespace burin::thread_groups_test
