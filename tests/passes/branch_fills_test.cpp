// Constants that branches give, stored by the kernel in front of them.
#include "fuse/movement/branch_fills.h"

#include "graph_fixture.h"

namespace burin::branch_fills_test {
namespace {

// y[0] is the greatest element of x; y[1] a sum of squares where that is above 1, else a constant,
// which a kernel of the branch stores.
struct Exit {
  GraphFixture g;
  Operand x = g.input("x", {7}), y = g.output("y", {2});
  std::shared_ptr<If> branch = std::make_shared<If>();

  Exit() {
    KernelBuilder first, second;
    const Index i = first.reduce_axis(7), j = second.reduce_axis(7);
    first.write(y, {Index(0)}, first.reduce(Combiner::max, {i}, x.at({i})));
    g.kernel("greatest", first);
    second.write(y, {Index(1)}, second.reduce(Combiner::sum, {j}, x.at({j}) * x.at({j})));
    branch->condition = compare(Binary::gt, y.at({Index(0)}), y.constant(1));
    branch->then_steps.emplace_back(GraphFixture::named("sum", second));
    branch->else_steps.emplace_back(fill(1, -3));
  }

  Kernel fill(int64_t element, int64_t number) {
    KernelBuilder kernel;
    kernel.write(y, {Index(element)}, y.constant(number));
    return GraphFixture::named("fill", kernel);
  }

  KernelGraph graph() {
    KernelGraph out = g.graph;
    out.steps.emplace_back(branch);
    return out;
  }
};

const If& branch_of(const KernelGraph& graph) {
  return *std::get<std::shared_ptr<If>>(graph.steps.back());
}

HostTensor row(double last) {
  return make_tensor(Type::f32, {7}, std::vector<double>{-2, 0, 1, 0.5, -1, 0.25, last});
}

TEST(BranchFills, TheKernelInFrontStoresThem) {
  Exit model;
  const KernelGraph before = model.graph(), after = with_early_fills(before);
  check_kernel_graph(after);
  EXPECT_EQ(count_kernels(before), 3);
  EXPECT_EQ(count_kernels(after), 2) << to_string(after);
  EXPECT_TRUE(branch_of(after).else_steps.empty());
  for (const double last : {0.5, 3.0}) {
    const RunResult a = interpret(before, {row(last)}, {}), b = interpret(after, {row(last)}, {});
    ASSERT_EQ(b.status, kRunOk) << b.message;
    EXPECT_EQ(a.outputs, b.outputs) << last;
  }
}

TEST(BranchFills, BranchesInsideBranchesToo) {
  Exit model;
  auto outer = std::make_shared<If>();
  outer->condition = compare(Binary::gt, model.x.at({Index(0)}), model.x.constant(-3));
  outer->then_steps = model.g.graph.steps;
  outer->then_steps.emplace_back(model.branch);
  outer->else_steps = {model.fill(0, -1), model.fill(1, -2)};
  KernelGraph before = model.g.graph;
  before.steps = {outer};
  const KernelGraph after = with_early_fills(before);
  check_kernel_graph(after);
  // Nothing stands in front of the outer one.
  EXPECT_EQ(branch_of(after).else_steps.size(), 2u) << to_string(after);
  EXPECT_EQ(count_kernels(after), count_kernels(before) - 1);
  expect_same(before, after);
}

TEST(BranchFills, WhatIsReadOrWrittenInFrontStays) {
  Exit written;
  written.branch->else_steps = {written.fill(0, -3)};  // the greatest element, by the condition too
  EXPECT_EQ(count_kernels(with_early_fills(written.graph())), 3);

  Exit read;
  const Operand z = read.g.output("z", {2});
  KernelBuilder twice;
  const Index i = twice.axis(2);
  twice.write(z, {i}, read.y.at({i}) + read.y.at({i}));
  const Kernel doubled = GraphFixture::named("twice", twice);
  read.branch->else_steps = {read.fill(1, 4), doubled, read.fill(1, -3)};
  read.branch->then_steps.emplace_back(doubled);
  // The first one moves; the second would be overwritten in front of who reads the first.
  const KernelGraph before = read.graph(), after = with_early_fills(before);
  EXPECT_EQ(count_kernels(after), count_kernels(before) - 1) << to_string(after);
  expect_same(before, after);
}

TEST(BranchFills, BothBranchesGiveTheSameElement) {
  Exit model;
  model.branch->then_steps = {model.fill(1, 8)};
  const KernelGraph before = model.graph(), after = with_early_fills(before);
  EXPECT_EQ(count_kernels(after), count_kernels(before) - 1) << to_string(after);
  for (const double last : {0.5, 3.0}) {
    EXPECT_EQ(interpret(before, {row(last)}, {}).outputs,
              interpret(after, {row(last)}, {}).outputs);
  }
}

TEST(BranchFills, ALoopKeepsItsOwn) {
  Exit model;
  auto loop = std::make_shared<Loop>();
  loop->trips = 2;
  loop->condition = Expr::constant(Type::boolean, int64_t{1});
  loop->body = model.graph().steps;
  KernelGraph before = model.g.graph;
  before.steps = {loop};
  EXPECT_EQ(count_kernels(with_early_fills(before)), count_kernels(before));
}

}  // namespace
}  // namespace burin::branch_fills_test
