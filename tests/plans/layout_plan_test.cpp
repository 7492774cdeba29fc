// Layouts of tensors: applied, they change no result; the problem says what the kernels cost; the
// plan is at least as good as every heuristic, and as good as trying everything.
#include "layout/layout_plan.h"

#include <random>

#include "layout/cost.h"
#include "passes/graph_fixture.h"

namespace burin {
namespace {

Hardware machine() {
  Hardware hardware;
  hardware.vector.vector_bytes = 16;
  hardware.vector.registers = 16;
  hardware.vector.fma_per_cycle = 2;
  hardware.vector.fma_latency_cycles = 4;
  hardware.vector.loads_per_cycle = 2;
  hardware.vector.stores_per_cycle = 1;
  hardware.memory.caches = {{1024, 4, 64, 1}, {65536, 14, 32, 1}};
  return hardware;
}

// An image through a 1x1 convolution, rows normalised over the channels, a product over the
// channels and one over the columns.
struct Chain {
  Chain() {
    const Operand x = g.input("x", {8, 6, 10}), c = g.value("c", {8, 6, 10}),
                  n = g.value("n", {8, 6, 10}), p = g.output("p", {5, 6, 10}),
                  q = g.output("q", {8, 6, 4});
    const Operand w = g.constant("w", {8, 8}), v = g.constant("v", {5, 8}, 1),
                  u = g.constant("u", {10, 4}, 2);
    KernelBuilder conv;
    const Index o = conv.axis(8), i = conv.axis(6), j = conv.axis(10), k = conv.reduce_axis(8);
    conv.write(c, {o, i, j}, conv.reduce(Combiner::sum, {k}, x.at({k, i, j}) * w.at({o, k})));
    g.kernel("Conv", conv);
    KernelBuilder norm;
    const Index a = norm.axis(8), b = norm.axis(6), d = norm.axis(10), e = norm.reduce_axis(8);
    norm.write(n, {a, b, d},
               c.at({a, b, d}) / (norm.reduce(Combiner::max, {e}, c.at({e, b, d})) + 3.0));
    g.kernel("Norm", norm);
    KernelBuilder first;
    const Index f = first.axis(5), h = first.axis(6), l = first.axis(10), m = first.reduce_axis(8);
    first.write(p, {f, h, l}, first.reduce(Combiner::sum, {m}, v.at({f, m}) * n.at({m, h, l})));
    g.kernel("First", first);
    KernelBuilder second;
    const Index r = second.axis(8), s = second.axis(6), t = second.axis(4),
                z = second.reduce_axis(10);
    second.write(q, {r, s, t}, second.reduce(Combiner::sum, {z}, n.at({r, s, z}) * u.at({z, t})));
    g.kernel("Second", second);
    options.most_points = 1;
  }

  GraphFixture g;
  LayoutOptions options;
};

Layouts layouts_of(const LayoutProblem& problem, const std::vector<int>& states) {
  Layouts out;
  for (size_t v = 0; v < states.size(); ++v) {
    if (states[v] > 0) out[problem.values[v]] = problem.layouts[v][static_cast<size_t>(states[v])];
  }
  return out;
}

Cost cost_of_kernels(const KernelGraph& graph) {
  Cost total = 0;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    total += kernel_cost(kernel, graph.values, machine());
  });
  return total;
}

// Calls for every combination of states.
template <class Body>
void for_each_choice(const LayoutProblem& problem, const Body& body) {
  std::vector<int> states(problem.values.size(), 0);
  for (;;) {
    body(states);
    size_t v = 0;
    for (; v < states.size(); ++v) {
      if (++states[v] < static_cast<int>(problem.layouts[v].size())) break;
      states[v] = 0;
    }
    if (v == states.size()) return;
  }
}

TEST(LayoutPlan, EveryChoiceComputesTheSameAndCostsWhatTheProblemSays) {
  const Chain chain;
  const LayoutProblem problem = layout_problem(chain.g.graph, machine(), chain.options);
  ASSERT_EQ(problem.values.size(), 2u);
  Cost least = kForbidden;
  int choices = 0, blocked = 0;
  for_each_choice(problem, [&](const std::vector<int>& states) {
    const Layouts layouts = layouts_of(problem, states);
    for (const auto& [id, layout] : layouts) blocked += !layout.blocks.empty();
    const KernelGraph other = relayout(chain.g.graph, layouts);
    check_kernel_graph(other);
    expect_same(chain.g.graph, other);
    const Cost cost = cost_of(problem.choice, states) + problem.fixed;
    EXPECT_EQ(cost, cost_of_kernels(other));
    least = std::min(least, cost);
    ++choices;
  });
  EXPECT_GE(choices, 9);
  EXPECT_GT(blocked, 0);
  const LayoutPlan plan = plan_layouts(chain.g.graph, machine(), chain.options);
  EXPECT_EQ(plan.solved.cost, least);
  EXPECT_TRUE(plan.solved.optimal);
  for (const Cost other :
       {plan.row_major, plan.local, plan.greedy, plan.partition13, plan.partition17})
    EXPECT_GE(other, least);
  EXPECT_EQ(plan, plan_layouts(chain.g.graph, machine(), chain.options));
}

// What a procedure, an input, an output or a constant is stays as it is.
TEST(LayoutPlan, OnlyTensorsBetweenKernelsAreFree) {
  Chain chain;
  const std::vector<ValueId> free = free_values(chain.g.graph);
  ASSERT_EQ(free.size(), 2u);
  Procedure sort;
  sort.function = "top_k";
  sort.reads = {free[1]};
  chain.g.graph.steps.push_back(sort);
  EXPECT_EQ(free_values(chain.g.graph), std::vector<ValueId>{free[0]});
}

TEST(LayoutPlan, BlocksThatAreNotFullAreRefused) {
  Chain chain;
  Layout layout;
  layout.order = {0, 1, 2};
  layout.blocks = {{1, 4}};
  EXPECT_THROW(relayout(chain.g.graph, {{free_values(chain.g.graph)[0], layout}}), std::exception);
}

// Parts that are solved alone cannot beat the whole, and parts that hold everything are it.
TEST(LayoutPlan, PartitionsAreSolvedAlone) {
  std::mt19937 random(3);
  int worse = 0;
  for (int round = 0; round < 200; ++round) {
    Choice choice;
    for (int v = 0; v < 12; ++v) {
      choice.costs.emplace_back();
      for (int s = 0; s < 3; ++s) choice.costs.back().push_back(random() % 100);
      if (v == 0) continue;
      Choice::Pair pair{v - 1, v, {}};
      for (int k = 0; k < 9; ++k) pair.costs.push_back(random() % 100);
      choice.pairs.push_back(pair);
    }
    const Cost least = solve(choice).cost;
    EXPECT_EQ(cost_of(choice, partitioned(choice, 12)) >= least, true);
    const Cost small = cost_of(choice, partitioned(choice, 4));
    EXPECT_GE(small, least);
    worse += small > least;
  }
  EXPECT_GT(worse, 50);
}

}  // namespace
}  // namespace burin
