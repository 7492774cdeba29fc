// Layouts of tensors: applied, they change no result; the problem says what the kernels cost; the
// plan is at least as good as every heuristic, and as good as trying everything.
#include "layout/layout_plan.h"

#include <random>

#include "layout/layout_cost.h"
#include "layout/layout_lock.h"
#include "passes/graph_fixture.h"
#include "support/diagnostics.h"

namespace burin::layout_plan_test {
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

// A tensor that is read along its columns and along its rows, over and over.
struct Shared {
  Shared() {
    const Operand x = g.input("x", {16, 24}), n = g.value("n", {16, 24}),
                  c = g.constant("c", {8}, 1);
    g.map("Map", n, [&](const Indices& at) { return x.at(at) * 0.5; });
    g.map("Rows", g.output("p", {8, 16, 24}), [&](const Indices& at) {
      return n.at({at[1], at[2]}) * c.at({at[0]});
    });
    g.map("Columns", g.output("q", {8, 24, 16}), [&](const Indices& at) {
      return n.at({at[2], at[1]}) * c.at({at[0]});
    });
    options.most_points = 1;
  }

  GraphFixture g;
  LayoutOptions options;
};

struct Tried {
  int choices = 0, blocked = 0, copied = 0, formed = 0, in_place = 0;
};

// What results cost that might lie where an operand was, and do not.
Cost cost_of_places(const LayoutProblem& problem, const std::vector<int>& states, Tried& tried) {
  Cost total = 0;
  for (const InPlace& one : problem.in_place) {
    const auto layout = [&](int variable) {
      const auto v = static_cast<size_t>(variable);
      return problem.layouts[v][static_cast<size_t>(states[v])];
    };
    const LayoutSet from = layout(one.from), to = layout(one.to);
    const bool shared = from.size() == 1 && !to.empty() && from[0] == to[0];
    tried.in_place += shared;
    total += shared ? 0 : one.gain;
  }
  return total;
}

// The graph with all that the states say.
KernelGraph applied(const KernelGraph& graph, const LockedLayouts& locked, const Forms& forms) {
  Layouts layouts = locked.layouts;
  KernelGraph other = with_forms(graph, forms, locked.forms);
  other = with_copies(std::move(other), locked.copies, layouts);
  return relayout(std::move(other), layouts);
}

template <class Example>
Tried try_all(const Example& example, size_t variables) {
  const KernelGraph& graph = example.g.graph;
  const Forms forms = find_forms(graph, example.options.most_points);
  const LayoutProblem problem = layout_problem(graph, forms, machine(), example.options);
  EXPECT_EQ(problem.values.size(), variables);
  Cost least = kForbidden;
  Tried tried;
  for_each_choice(problem, [&](const std::vector<int>& states) {
    LockedLayouts chosen{layouts_of(problem, states), copies_of(problem, states),
                         forms_of(problem, forms, states)};
    for (const auto& [id, layout] : chosen.layouts) tried.blocked += !layout.blocks.empty();
    tried.formed += !chosen.forms.empty();
    // As plan.json has it, and back.
    if (std::all_of(chosen.copies.begin(), chosen.copies.end(),
                    [](const LayoutCopy& copy) { return !copy.readers.empty(); })) {
      tried.copied += !chosen.copies.empty();
      const LockedLayouts locked = locked_layouts(named_layouts(chosen, forms), graph, forms);
      EXPECT_EQ(locked.layouts, chosen.layouts);
      EXPECT_EQ(locked.copies, chosen.copies);
      EXPECT_EQ(locked.forms, chosen.forms);
    }
    const KernelGraph other = applied(graph, chosen, forms);
    check_kernel_graph(other);
    expect_same(graph, other);
    const Cost cost = cost_of(problem.choice, problem.followed(forms, states)) + problem.fixed;
    EXPECT_EQ(cost, cost_of_kernels(other) + cost_of_places(problem, states, tried));
    least = std::min(least, cost);
    ++tried.choices;
  });
  const LayoutPlan plan = plan_layouts(graph, forms, machine(), example.options);
  EXPECT_EQ(plan.solved.cost, least);
  EXPECT_TRUE(plan.solved.optimal);
  EXPECT_LE(plan.at_once, plan.solved.cost);
  for (const Cost other :
       {plan.row_major, plan.local, plan.greedy, plan.partition13, plan.partition17})
    EXPECT_GE(other, least);
  EXPECT_EQ(plan, plan_layouts(graph, forms, machine(), example.options));
  return tried;
}

TEST(LayoutPlan, EveryChoiceComputesTheSameAndCostsWhatTheProblemSays) {
  const Tried tried = try_all(Chain(), 2);
  EXPECT_GE(tried.choices, 9);
  EXPECT_GT(tried.blocked, 0);
}

// Each reader has its layout, and one of the two is a copy.
TEST(LayoutPlan, ATensorMayHaveTwoLayouts) {
  const Shared shared;
  EXPECT_GT(try_all(shared, 1).copied, 0);
  const KernelGraph& graph = shared.g.graph;
  const LayoutPlan plan = plan_layouts(graph, {graph.values, {}}, machine(), shared.options);
  ASSERT_EQ(plan.copies.size(), 1u);
  EXPECT_EQ(plan.copies[0].readers.size(), 1u);
  EXPECT_LT(plan.solved.cost, plan.row_major);
}

// Scores of rows, and of columns, of a map that is made for both: each could compute it.
struct Doubtful {
  Doubtful() {
    const Operand w = g.constant("w", {16, 12}, 1), v = g.constant("v", {12, 9}, 2),
                  n = g.value("n", {12, 12});
    matmul(g, "First", x, w, m);
    g.map("Map", n, [&](const Indices& at) { return m.at(at) * m.at(at) + 0.5; });
    matmul(g, "Rows", n, v, g.output("p", {12, 9}));
    KernelBuilder columns;
    const Index j = columns.axis(12), i = columns.reduce_axis(12);
    columns.write(g.output("q", {12}), {j}, columns.reduce(Combiner::max, {i}, n.at({i, j})));
    g.kernel("Columns", columns);
    options.most_points = 1;
  }

  GraphFixture g;
  Operand x = g.input("x", {12, 16}), m = g.value("m", {12, 12});
  LayoutOptions options;
};

TEST(LayoutPlan, WhatReadersCouldComputeIsAState) {
  const Tried tried = try_all(Doubtful(), 2);
  EXPECT_GT(tried.formed, 0);
  EXPECT_GT(try_all(Shared(), 1).formed, 0);
}

// A product that is added to what another one made; columns of both are read.
struct Residual {
  Residual() {
    const Operand x = g.input("x", {20, 16}), w = g.constant("w", {16, 20}, 1),
                  v = g.constant("v", {16, 20}, 2), r = g.value("r", {20, 20}),
                  n = g.value("n", {20, 20});
    matmul(g, "First", x, w, r);
    read_columns("Before", r, "p");
    KernelBuilder sum;
    const Index i = sum.axis(20), j = sum.axis(20), k = sum.reduce_axis(16);
    sum.write(n, {i, j},
              sum.reduce(Combiner::sum, {k}, x.at({i, k}) * v.at({k, j})) + r.at({i, j}));
    g.kernel("Sum", sum);
    read_columns("After", n, "q");
    options.most_points = 1;
  }

  void read_columns(const char* name, const Operand& rows, const char* to) {
    KernelBuilder kernel;
    const Index j = kernel.axis(20), i = kernel.reduce_axis(20);
    kernel.write(g.output(to, {20}), {j}, kernel.reduce(Combiner::max, {i}, rows.at({i, j})));
    g.kernel(name, kernel);
  }

  GraphFixture g;
  LayoutOptions options;
};

TEST(LayoutPlan, AResultThatMayLieWhereAnOperandWasWantsItsLayout) {
  const Residual residual;  // of more than the first cache holds
  const Tried tried = try_all(residual, 2);
  EXPECT_GT(tried.in_place, 0);
  EXPECT_LT(tried.in_place, tried.choices);
  const KernelGraph& graph = residual.g.graph;
  EXPECT_EQ(plan_layouts(graph, {graph.values, {}}, machine(), residual.options).in_place, 1);
}

// Times that were measured are costs: the tensor lies as the kernel wants it that takes least.
TEST(LayoutPlan, MeasuredTimesAreCosts) {
  const Shared shared;
  const KernelGraph& graph = shared.g.graph;
  const Forms none{graph.values, {}};
  Tuning tuning;
  const auto measure = [&](int step, const Layouts& layouts, double us) {
    std::vector<Value> values = graph.values;
    for (const auto& [id, layout] : layouts) {
      Value& value = values[static_cast<size_t>(id)];
      value.shape = physical_shape(layout, value.shape);
    }
    const Kernel& kernel = std::get<Kernel>(graph.steps[static_cast<size_t>(step)]);
    tuning.kernels[kernel_key(relayout(kernel, layouts), values)].us = us;
  };
  const ValueId n = free_values(graph)[0];
  Layout columns;
  columns.order = {1, 0};
  for (int step = 0; step < 3; ++step) {
    measure(step, {}, 1000);
    measure(step, {{n, columns}}, 3000);
  }
  LayoutOptions options = shared.options;
  options.tuning = &tuning;
  Hardware hardware = machine();
  hardware.clock_mhz = 1000;
  const LayoutPlan as_it_is = plan_layouts(graph, none, hardware, options);
  EXPECT_TRUE(as_it_is.layouts.empty());
  EXPECT_EQ(as_it_is.row_major, 3 * 1000 * 1000 * kCycle);
  for (int step = 0; step < 3; ++step) measure(step, {{n, columns}}, 10);
  const LayoutPlan turned = plan_layouts(graph, none, hardware, options);
  ASSERT_EQ(turned.layouts.count(n), 1u);
  EXPECT_EQ(turned.layouts.at(n), columns);
  EXPECT_EQ(turned.solved.cost, 3 * 10 * 1000 * kCycle);
  EXPECT_EQ(turned.at_once, turned.solved.cost);
}

// Two parts of a whole, written in place; one of them is read along its columns without the other.
struct Parts {
  Parts() {
    const Operand y = g.input("y", {8, 16});
    const auto part = [&](const char* name, const Operand& from, int64_t first) {
      KernelBuilder kernel;
      const Index i = kernel.axis(8), j = kernel.axis(16);
      kernel.write(whole, {i + first, j}, from.at({i, j}) * 3.0);
      g.kernel(name, kernel);
    };
    part("Upper", x, 0);
    part("Lower", y, 8);
    KernelBuilder columns;
    const Index j = columns.axis(16), i = columns.reduce_axis(8);
    columns.write(g.output("p", {16}), {j},
                  columns.reduce(Combiner::sum, {i}, whole.at({i + 8, j}) * whole.at({i + 8, j})));
    g.kernel("Columns", columns);
    g.map("All", g.output("q", {16, 16}), [&](const Indices& at) {
      return whole.at({at[1], at[0]}) + 1.0;
    });
    options.most_points = 1;
  }

  GraphFixture g;
  Operand x = g.input("x", {8, 16}), whole = g.value("whole", {16, 16});
  LayoutOptions options;
};

TEST(LayoutPlan, APartOfAConcatenationMayBeATensorOfItsOwn) {
  const Parts parts;
  const Forms forms = find_forms(parts.g.graph, 1);
  ASSERT_EQ(forms.forms.size(), 1u);
  EXPECT_TRUE(forms.forms[0].appears);
  EXPECT_EQ(forms.values.back().name, "whole_part");
  EXPECT_EQ(forms.values.back().shape, (std::vector<Dim>{8, 16}));
  EXPECT_GT(try_all(parts, 2).formed, 0);
}

TEST(LayoutPlan, FormsKeepToWhatIsThere) {
  Doubtful doubtful;
  const std::vector<Form> forms = find_forms(doubtful.g.graph, 1).forms;
  ASSERT_EQ(forms.size(), 1u);
  EXPECT_FALSE(forms[0].appears);
  EXPECT_EQ(forms[0].steps.size(), 3u);
  EXPECT_TRUE(forms[0].steps.at(1).empty());
  EXPECT_TRUE(find_forms(doubtful.g.graph, 145).forms.empty()) << "too small to be looked at";
  KernelBuilder again;
  const Index i = again.axis(12), j = again.axis(12);
  again.write(doubtful.m, {i, j}, doubtful.x.at({i, j}));
  doubtful.g.kernel("Again", again);
  EXPECT_TRUE(find_forms(doubtful.g.graph, 1).forms.empty());

  Parts parts;
  EXPECT_EQ(find_forms(parts.g.graph, 1).forms.size(), 1u);
  KernelBuilder over;
  const Index k = over.axis(2), l = over.axis(16);
  over.write(parts.whole, {k + 7, l}, parts.x.at({k, l}));
  parts.g.kernel("Over", over);
  EXPECT_TRUE(find_forms(parts.g.graph, 1).forms.empty()) << "parts that are written over";
}

// Copies of readers that there are not, of several at a time, or without any.
TEST(LayoutPlan, CopiesOfALockAreChecked) {
  const Shared shared;
  const auto lock = [&](const char* text) {
    return locked_layouts({{"n", text}}, shared.g.graph, find_forms(shared.g.graph, 1));
  };
  for (const char* text :
       {"row-major; 2 as 1 0", "row-major; 0 0 as 1 0", "row-major;  as 1 0", "row-major; 0",
        "row-major; x as 1 0", "row-major; 99999999999999999999 as 1 0", "row-major; 0 as 1 0;",
        "row-major; 0 as 1 1", "; 0 as 1 0", "row-major; 0 as 1 0; 0 as row-major"})
    EXPECT_THROW(lock(text), Refused) << text;
  try {
    lock("row-major; 2 as 1 0");
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.diagnostics[0].message,
              "--plan-lock: '2 as 1 0' is no copy of tensor 'n', which has 2 readers");
  }
  EXPECT_EQ(lock("1 0; 0 1 as row-major").copies.size(), 1u);
  EXPECT_EQ(lock("computed by its readers").forms.size(), 1u);
  try {
    locked_layouts({{"p", "computed by its readers"}}, shared.g.graph,
                   find_forms(shared.g.graph, 1));
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.diagnostics[0].message,
              "--plan-lock: readers of tensor 'p' cannot compute it");
  }
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
}  // namespace burin::layout_plan_test
