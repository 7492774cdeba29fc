// Congruences as phases: the same sums, by fewer and denser loops.
#include "select/schedule/polyphase.h"

#include "graph_fixture.h"
#include "select/axes/guards.h"
#include "select/choose.h"

namespace burin::polyphase_test {
namespace {

struct Transposed {
  int64_t stride, dilation, before, taps, input, output;
};

// y[m, o] = sum over c, k of x[c, (o + before - k*dilation) / stride] * w[c, m, k].
KernelGraph transposed_convolution(const Transposed& t) {
  GraphFixture g;
  const Operand x = g.input("x", {3, t.input}), y = g.output("y", {4, t.output}),
                w = g.constant("w", {3, 4, t.taps}, -1);
  KernelBuilder kernel;
  const Index m = kernel.axis(4), o = kernel.axis(t.output);
  const Index c = kernel.reduce_axis(3), k = kernel.reduce_axis(t.taps);
  const Index spread = o + t.before - k * t.dilation, place = floordiv(spread, t.stride);
  const Expr element = Expr::cases(
      {{{{mod(spread, t.stride), 0, 1}, {place, 0, t.input}}, x.at({c, place})}}, x.zero());
  kernel.write(y, {m, o}, kernel.reduce(Combiner::sum, {c, k}, element * w.at({c, m, k})));
  g.kernel("ConvTranspose", kernel);
  return g.graph;
}

// Whether a condition takes one of several points of a reduced axis.
bool has_congruence(const Kernel& kernel) {
  for (const Let& let : kernel.lets) {
    for (const Condition& condition : strip_guard(let.op, let.body[0]).guard) {
      if (condition.index.kind() != IndexKind::mod) continue;
      for (const int axis : let.reduced) {
        if (condition.index.uses_axis(axis)) return true;
      }
    }
  }
  return false;
}

TEST(Polyphase, EveryShapeKeepsItsSums) {
  for (const int64_t stride : {2, 3, 4}) {
    for (const int64_t dilation : {1, 2, 3}) {
      for (const int64_t taps : {1, 2, 3, 4, 6}) {
        for (const int64_t before : {0, 1, 5}) {
          for (const int64_t output : {12, 11, 5}) {
            const KernelGraph graph =
                transposed_convolution({stride, dilation, before, taps, 5, output});
            KernelGraph after = graph;
            after.steps[0] = polyphase(std::get<Kernel>(graph.steps[0]));
            const Kernel& kernel = std::get<Kernel>(after.steps[0]);
            expect_same(graph, after);
            EXPECT_FALSE(has_congruence(kernel)) << to_string(kernel, after.values);
          }
        }
      }
    }
  }
}

TEST(Polyphase, AStrideOfTwoTakesAQuarterOfTheTaps) {
  const KernelGraph graph = transposed_convolution({2, 1, 1, 4, 256, 512});
  const Kernel kernel = polyphase(std::get<Kernel>(graph.steps[0]));
  // m, p, f; c, j
  ASSERT_EQ(kernel.axes.size(), 5u);
  EXPECT_EQ(kernel.axes[1].extent, Dim(256));
  EXPECT_EQ(kernel.axes[2].extent, Dim(2));
  EXPECT_EQ(kernel.axes[4].extent, Dim(2));
  EXPECT_FALSE(has_congruence(kernel));
  EXPECT_TRUE(kernel.writes[0].when.empty());
  // One product of matrices per phase.
  const LoopPlans selection = choose_loops(graph, Hardware());
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.contraction.has_value());
  EXPECT_EQ(schedule.contraction->batch.size(), 1u);
  EXPECT_EQ(schedule.contraction->depth, Dim(6));
  expect_same(graph, selection.graph);
}

TEST(Polyphase, WhatIsNoCongruenceStays) {
  GraphFixture g;
  const Operand x = g.input("x", {9}), y = g.output("y", {9});
  KernelBuilder kernel;
  const Index o = kernel.axis(9), k = kernel.reduce_axis(3);
  const Index at = o + k - 1;
  kernel.write(
      y, {o},
      kernel.reduce(Combiner::sum, {k}, Expr::cases({{{{at, 0, 9}}, x.at({at})}}, x.zero())));
  g.kernel("Conv", kernel);
  const Kernel& before = std::get<Kernel>(g.graph.steps[0]);
  EXPECT_EQ(polyphase(before), before);
}

}  // namespace
}  // namespace burin::polyphase_test
