// Functions of elements that a row needs twice are kept for it: which kernels, and that they
// compute the same.
#include "select/rows/kept_row.h"

#include "graph_fixture.h"
#include "select/choose.h"
#include "small_hardware.h"

namespace burin::kept_row_test {
namespace {

// y[n, i] = exp(x[n, i] - greatest[n]) / sum[n], and what `last` makes of it.
KernelGraph softmax(const Dim& length, bool divides = true, bool two = false) {
  GraphFixture g;
  length.collect_symbols(g.graph.symbols);
  const Operand x = g.input("x", {3, length}), y = g.output("y", {3, length});
  KernelBuilder kernel;
  const Index n = kernel.axis(3), i = kernel.axis(length), t = kernel.reduce_axis(length);
  const Expr greatest = kernel.reduce(Combiner::max, {t}, x.at({n, t}));
  // `two`: functions, of which both are needed twice.
  const auto share = [&](const Index& at) {
    const Expr one = Expr::unary(Unary::exp, x.at({n, at}) - greatest);
    return two ? one + Expr::unary(Unary::sin, x.at({n, at})) : one;
  };
  const Expr sum = kernel.reduce(Combiner::sum, {i}, share(i));
  kernel.write(y, {n, i}, divides ? share(i) / sum : x.at({n, i}) / sum);
  g.kernel("Softmax", kernel);
  return g.graph;
}

Hardware machine(int64_t cache) {
  Hardware hardware = small_hardware({{cache, 4, 64, 1}});
  hardware.vector.vector_bytes = 32;
  return hardware;
}

LoopPlan scheduled(const KernelGraph& graph, const Hardware& hardware) {
  KernelGraph copy = graph;
  return best_plan(std::get<Kernel>(graph.steps[0]), copy.values, hardware);
}

int functions_in(const Kernel& kernel) {
  int count = 0;
  const auto add = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      count += node.kind == ExprKind::unary && node.unary() == Unary::exp;
    });
  };
  for (const Let& let : kernel.lets) add(let.body[0]);
  for (const Write& write : kernel.writes) add(write.value);
  return count;
}

bool is_kept(const LoopPlan& plan) {
  return std::any_of(plan.verbs.begin(), plan.verbs.end(),
                     [](const Verb& verb) { return verb.what == "keep row"; });
}

TEST(KeptRow, AShareIsComputedOnceAndDividedFromItsRow) {
  const KernelGraph graph = softmax(50);
  ASSERT_EQ(functions_in(std::get<Kernel>(graph.steps[0])), 2);
  const LoopPlan plan = scheduled(graph, machine(65536));
  EXPECT_TRUE(is_kept(plan));
  EXPECT_EQ(functions_in(plan.kernel), 1);
  // A row of 50 floats, and no more of it than one.
  EXPECT_TRUE(plan.scratch_bytes.is_constant(256)) << to_string(plan.scratch_bytes);
  KernelGraph with = graph;
  with.steps[0] = plan.kernel;
  expect_same(graph, with, {});
}

TEST(KeptRow, WhatIsNeededOnceOrShortOrHasNoRoomIsNot) {
  EXPECT_FALSE(is_kept(scheduled(softmax(50, false), machine(65536))));
  EXPECT_FALSE(is_kept(scheduled(softmax(16), machine(65536))));
  EXPECT_TRUE(is_kept(scheduled(softmax(17), machine(65536))));
  // Half of the cache: 8192 floats.
  EXPECT_TRUE(is_kept(scheduled(softmax(8192), machine(65536))));
  EXPECT_FALSE(is_kept(scheduled(softmax(8193), machine(65536))));
  // Two rows of half as many.
  EXPECT_TRUE(is_kept(scheduled(softmax(4096, true, true), machine(65536))));
  EXPECT_FALSE(is_kept(scheduled(softmax(4097, true, true), machine(65536))));
  // At every size.
  const auto up_to = [](int64_t most) {
    SymbolInfo length;
    length.name = "n";
    length.min = 1;
    length.max = most;
    length.hint = 50;
    return softmax(Index::symbol(std::make_shared<const SymbolInfo>(length)));
  };
  EXPECT_TRUE(is_kept(scheduled(up_to(8192), machine(65536))));
  EXPECT_FALSE(is_kept(scheduled(up_to(8193), machine(65536))));
}

}  // namespace
}  // namespace burin::kept_row_test
