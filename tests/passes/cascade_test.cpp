// Kernels with lets that become one: rows of primitive operators, contractions of one input, a
// normalisation in front of a contraction; what each condition forbids; the same numbers.
#include "fuse/cascade/cascade.h"

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "small_hardware.h"

namespace burin::cascade_test {
namespace {

Hardware wide_machine() {
  Hardware hardware = small_hardware({{32768, 4, 64, 1}});
  return hardware;
}

// y[rows, 1] = sum over columns of x * weight
void mean(GraphFixture& g, const std::string& name, const Operand& x, const Operand& y) {
  KernelBuilder kernel;
  const Index i = kernel.axis(x.dim(0)), j = kernel.reduce_axis(x.dim(1));
  kernel.write(y, {i, 0}, kernel.reduce(Combiner::sum, {j}, x.at({i, j})) / 16.0);
  g.kernel(name, kernel);
}

// LayerNorm as ReduceMean, Sub, Pow, ReduceMean, Sqrt, Div.
Operand normalized(GraphFixture& g, const Operand& x, const Operand& y) {
  const Operand average = g.value("average", {x.dim(0), 1}), apart = g.value("apart", x.shape()),
                square = g.value("square", x.shape()),
                variance = g.value("variance", {x.dim(0), 1}),
                root = g.value("root", {x.dim(0), 1});
  mean(g, "ReduceMean", x, average);
  g.map("Sub", apart, [&](const Indices& at) { return x.at(at) - average.at({at[0], 0}); });
  g.map("Pow", square, [&](const Indices& at) { return apart.at(at) * apart.at(at); });
  mean(g, "ReduceMean_1", square, variance);
  g.map("Sqrt", root,
        [&](const Indices& at) { return Expr::unary(Unary::sqrt, variance.at(at) + 0.00390625); });
  g.map("Div", y, [&](const Indices& at) { return apart.at(at) / root.at({at[0], 0}); });
  return y;
}

TEST(Rows, ANormalisationOfPrimitivesIsOneKernel) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 16}), y = g.output("y", {6, 16});
  normalized(g, x, y);
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  EXPECT_EQ(std::get<Kernel>(fused.steps[0]).origins.size(), 6u);
  expect_same(g.graph, fused);
  FuseOptions off;
  off.rows = false;
  EXPECT_GT(count_kernels(fuse(g.graph, off)), 1);
  expect_same(g.graph, fuse(g.graph, off));
}

// y = x minus the sum of x over its outer dimension, for each of the inner one; `turned`: x lies
// the other way round in memory.
int kernels_across_rows(const Dim& outer, bool turned) {
  GraphFixture g;
  const Operand x = g.input("x", turned ? Shape{12, outer} : Shape{outer, 12}),
                y = g.output("y", {outer, 12}), m = g.value("m", {1, 12});
  outer.collect_symbols(g.graph.symbols);
  const auto at = [&](const Index& i, const Index& j) {
    return turned ? Indices{j, i} : Indices{i, j};
  };
  KernelBuilder kernel;
  const Index j = kernel.axis(12), i = kernel.reduce_axis(outer);
  kernel.write(m, {0, j}, kernel.reduce(Combiner::sum, {i}, x.at(at(i, j))));
  g.kernel("ReduceSum", kernel);
  g.map("Sub", y, [&](const Indices& to) { return x.at(at(to[0], to[1])) - m.at({0, to[1]}); });
  const KernelGraph fused = fuse(g.graph, {});
  expect_same(g.graph, fused, {{"n", 7}});
  return count_kernels(fused);
}

TEST(Rows, ResultsAlongTheRowsAreWrittenWhereRowsAreReadSideBySide) {
  EXPECT_EQ(kernels_across_rows(8, false), 1);
  EXPECT_EQ(kernels_across_rows(8, true), 2);
  // A sum that may be so long is made in parts.
  EXPECT_EQ(kernels_across_rows(sized("n", 1, 64), false), 1);
  EXPECT_EQ(kernels_across_rows(sized("n"), false), 2);
}

TEST(Rows, AReductionAcrossRowsIsAnotherKernel) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 16}), y = g.output("y", {1, 16}), n = g.value("n", {6, 16});
  normalized(g, x, n);
  KernelBuilder kernel;
  const Index j = kernel.axis(16), i = kernel.reduce_axis(6);
  kernel.write(y, {0, j}, kernel.reduce(Combiner::sum, {i}, n.at({i, j})));
  g.kernel("Pool", kernel);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2);
  expect_same(g.graph, fused);
}

struct Projections {
  GraphFixture g;
  // y[m, n] = q[m, n] * k[m, n] + v[m, n % 8]
  explicit Projections(bool clipped = false, bool apart = false, bool early = false) {
    const Operand x = g.input("x", {9, 16}), y = g.output("y", {9, 8});
    const Operand q = project("q", x, 8, 1);
    if (early) read_again("early", q);
    const Operand k = project("k", x, 8, -1), v = project("v", x, 8, 2);
    const Operand other = clipped ? g.value("clipped", {9, 8}) : q;
    if (clipped) g.map("Relu", other, [&](const Indices& at) { return max(q.at(at), q.zero()); });
    KernelBuilder kernel;
    const Index m = kernel.axis(9), n = kernel.axis(8), i = kernel.reduce_axis(9);
    kernel.write(y, {m, n},
                 kernel.reduce(Combiner::sum, {i}, other.at({m, n}) * k.at({i, n})) + v.at({m, n}));
    g.kernel("Reader", kernel);
    if (apart) read_again("again", v);
  }
  void read_again(const std::string& name, const Operand& one) {
    const Operand more = g.output(name, {9, 8});
    g.map(name, more, [&](const Indices& at) { return max(one.at(at), one.zero()); });
  }
  Operand project(const std::string& name, const Operand& x, int64_t columns, double first) {
    return linear(g, name, x, g.constant(name + "_w", {16, columns}, first),
                  g.constant(name + "_b", {columns}, first), g.value(name, {9, columns}));
  }
};

TEST(Siblings, ProjectionsOfOneInputAreOneProduct) {
  Projections p;
  const KernelGraph fused = fuse(p.g.graph, {});
  ASSERT_EQ(count_kernels(fused), 2) << to_string(fused);
  const Kernel& product = std::get<Kernel>(fused.steps[0]);
  const Value& whole = fused.values[static_cast<size_t>(product.writes[0].to)];
  EXPECT_EQ(whole.shape, (std::vector<Dim>{9, 24}));
  expect_same(p.g.graph, fused);
  FuseOptions off;
  off.siblings = false;
  EXPECT_EQ(count_kernels(fuse(p.g.graph, off)), 4);
}

TEST(Siblings, OtherReadersTakeTheirPartsToo) {
  Projections apart(false, true);
  const KernelGraph fused = fuse(apart.g.graph, {});
  EXPECT_EQ(count_kernels(fused), 3) << to_string(fused);  // the product; the two readers
  expect_same(apart.g.graph, fused);
}

TEST(Siblings, WhatIsComputedOtherwiseOrReadBeforeStaysAlone) {
  Projections clipped(true);
  EXPECT_EQ(count_kernels(fuse(clipped.g.graph, {})), 3);
  expect_same(clipped.g.graph, fuse(clipped.g.graph, {}));
  Projections early(false, false, true);
  const KernelGraph fused = fuse(early.g.graph, {});
  EXPECT_EQ(count_kernels(fused), 4) << to_string(fused);  // Q; K and V; the two readers
  expect_same(early.g.graph, fused);
}

TEST(Siblings, WhatReordersOneOfThemWaits) {
  // q is scaled and turned before it is read: an epilogue would hide that k is made like it.
  GraphFixture g;
  const Operand x = g.input("x", {9, 16}), y = g.output("y", {9, 9});
  const auto project = [&](const std::string& name, const Operand& result, double first) {
    return linear(g, name, x, g.constant(name + "_w", {16, 8}, first),
                  g.constant(name + "_b", {8}, first), result);
  };
  const Operand q = project("q", g.value("q", {9, 8}), 1), turned = g.value("turned", {8, 9});
  g.map("Turn", turned, [&](const Indices& at) { return q.at({at[1], at[0]}) * 0.5; });
  const Operand k = project("k", g.value("k", {9, 8}), -1);
  KernelBuilder kernel;
  const Index m = kernel.axis(9), n = kernel.axis(9), i = kernel.reduce_axis(8);
  kernel.write(y, {m, n}, kernel.reduce(Combiner::sum, {i}, turned.at({i, m}) * k.at({n, i})));
  g.kernel("Scores", kernel);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(g.graph, fused);
}

TEST(Siblings, WhatFindsNoneIsReorderedAfterAll) {
  GraphFixture g;
  const Operand x = g.input("x", {9, 16});
  for (const char* name : {"p", "q"}) {
    const std::string one = name;
    const Operand sum = linear(g, one, x, g.constant(one + "_w", {16, 8}, 1),
                               g.constant(one + "_b", {8}, 1), g.value(one, {9, 8}));
    const Operand turned = g.output(one + "_turned", {8, 9});
    g.map("Turn", turned, [&](const Indices& at) { return sum.at({at[1], at[0]}) * 0.5; });
  }
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 2) << to_string(fused);
  expect_same(g.graph, fused);
}

TEST(Factors, ANormalisationBecomesThePackingOfTheProduct) {
  GraphFixture g;
  const Operand x = g.input("x", {20, 16}), y = g.output("y", {20, 24}), n = g.value("n", {20, 16});
  normalized(g, x, n);
  linear(g, "MatMul", n, g.constant("w", {16, 24}, -1), g.constant("b", {24}, 1), y);
  const KernelGraph fused = fuse(g.graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(g.graph, fused);
  const KernelGraph before = fused;
  const LoopPlans selection = choose_loops(fused, wide_machine());
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.contraction.has_value());
  EXPECT_FALSE(schedule.row_lets.empty());
  // Mean, variance and the root of it, once a row; then the product.
  EXPECT_GE(schedule.kernel.lets.size(), 4u);
  expect_same(before, selection.graph);
  FuseOptions off;
  off.factors = false;
  EXPECT_EQ(count_kernels(fuse(g.graph, off)), 2);
}

TEST(Factors, RowsThatSomeoneElseReadsStayATensor) {
  GraphFixture g;
  const Operand x = g.input("x", {20, 16}), y = g.output("y", {20, 24}), n = g.value("n", {20, 16}),
                more = g.output("more", {20, 16});
  normalized(g, x, n);
  linear(g, "MatMul", n, g.constant("w", {16, 24}, -1), g.constant("b", {24}, 1), y);
  g.map("Residual", more, [&](const Indices& at) { return n.at(at) + x.at(at); });
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 3);
  expect_same(g.graph, fused);
}

// Two products, one after the other.
KernelGraph two_products(GraphFixture& g, const Dim& rows) {
  const Operand x = g.input("x", {rows, 12}), y = g.output("y", {rows, 9}),
                h = g.value("h", {rows, 5});
  linear(g, "First", x, g.constant("w1", {12, 5}, -1), g.constant("b1", {5}, 1), h);
  linear(g, "Second", h, g.constant("w2", {5, 9}, -1), g.constant("b2", {9}, 1), y);
  return g.graph;
}

TEST(Chains, SmallProductsOfOneRowAreOneKernel) {
  GraphFixture g;
  const KernelGraph graph = two_products(g, 1);
  FuseOptions options;
  EXPECT_EQ(count_kernels(fuse(graph, options)), 2);
  options.small_operations = 12 * 5 + 5 + 5 * 9 + 9;
  const KernelGraph fused = fuse(graph, options);
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(graph, fused);
  const LoopPlans selection = choose_loops(fused, wide_machine());
  expect_same(graph, selection.graph);
  --options.small_operations;
  EXPECT_EQ(count_kernels(fuse(graph, options)), 2);
  options.small_operations = 1000;
  options.chains = false;
  EXPECT_EQ(count_kernels(fuse(graph, options)), 2);
}

TEST(Chains, SeveralRowsAndRowsThatOthersReadStayApart) {
  FuseOptions options;
  options.small_operations = 1 << 20;
  GraphFixture several;
  EXPECT_EQ(count_kernels(fuse(two_products(several, 2), options)), 2);
  GraphFixture shared;
  two_products(shared, 1);
  const ValueId hidden = writes_of(shared.graph.steps[1])[0];
  const Operand more = shared.output("more", {1, 5});
  shared.map("Reader", more,
             [&](const Indices& at) { return Expr::load(hidden, Type::f32, at) * 2.0; });
  EXPECT_EQ(count_kernels(fuse(shared.graph, options)), 3);
}

// A classifier reads its weights once, whoever multiplies: the pool before it joins it, where
// neighbours in the weights are neighbours in the pool's result.
TEST(Chains, APoolJoinsAClassifierThatWaitsForItsWeights) {
  const auto count = [](bool along_depth, int64_t pool_operations, int64_t per_byte) {
    GraphFixture g;
    const Operand x = g.input("x", {1, 12, 7}), pool = g.value("pool", {1, 12}),
                  y = g.output("y", {1, 40}),
                  w = along_depth ? g.constant("w", {40, 12}) : g.constant("w", {12, 40});
    KernelBuilder first, second;
    const Index channel = first.axis(12), place = first.reduce_axis(7);
    first.write(pool, {0, channel},
                first.reduce(Combiner::sum, {place}, x.at({0, channel, place})) / 8.0);
    g.kernel("pool", first);
    const Index n = second.axis(40), k = second.reduce_axis(12);
    const Expr weight = along_depth ? w.at({n, k}) : w.at({k, n});
    second.write(y, {0, n}, second.reduce(Combiner::sum, {k}, pool.at({0, k}) * weight));
    g.kernel("classifier", second);
    FuseOptions options;
    options.small_operations = pool_operations;
    options.multiply_adds_per_byte = per_byte;
    const KernelGraph fused = fuse(g.graph, options);
    expect_same(g.graph, fused);
    expect_same(g.graph, choose_loops(fused, wide_machine()).graph);
    return count_kernels(fused);
  };
  const int64_t pool = 12 * 7 + 12;
  EXPECT_EQ(count(true, pool, 1), 1);
  EXPECT_EQ(count(true, pool - 1, 1), 2);
  EXPECT_EQ(count(false, pool, 1), 2);
  EXPECT_EQ(count(true, pool, 0), 2);
}

TEST(Rows, ASoftmaxAndItsSumWeightedByConstantsAreOneKernel) {
  // A distribution over bins and its expectation, as detectors have it.
  GraphFixture g;
  const Operand x = g.input("x", {20, 16}), y = g.output("y", {20}), w = g.constant("w", {16}, 0),
                top = g.value("top", {20, 1}), power = g.value("power", {20, 16}),
                total = g.value("total", {20, 1}), share = g.value("share", {20, 16});
  const auto row = [&](const std::string& name, Combiner op, const Operand& from,
                       const Operand& to) {
    KernelBuilder kernel;
    const Index i = kernel.axis(20), j = kernel.reduce_axis(16);
    kernel.write(to, {i, 0}, kernel.reduce(op, {j}, from.at({i, j})));
    g.kernel(name, kernel);
  };
  row("Max", Combiner::max, x, top);
  g.map("Exp", power, [&](const Indices& at) {
    return Expr::unary(Unary::exp, x.at(at) - top.at({at[0], 0}));
  });
  row("Sum", Combiner::sum, power, total);
  g.map("Div", share, [&](const Indices& at) { return power.at(at) / total.at({at[0], 0}); });
  KernelBuilder kernel;
  const Index i = kernel.axis(20), j = kernel.reduce_axis(16);
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {j}, w.at({j}) * share.at({i, j})));
  g.kernel("Conv", kernel);
  const KernelGraph fused = fuse(g.graph, {});
  EXPECT_EQ(count_kernels(fused), 1) << to_string(fused);
  expect_same(g.graph, fused);
}

TEST(Factors, ARecurrenceThatReadsALaterLetIsNoProduct) {
  // state[t] = next[t - 1], next[t] = state[t] + x[t]: the first let reads the second one.
  GraphFixture g;
  const Operand x = g.input("x", {4}), y = g.output("y", {4});
  Kernel kernel;
  kernel.name = "Scan";
  kernel.axes = {{4, AxisKind::sequential, "time"}};
  const Index t = Index::axis(0, 4);
  const Expr before = Expr::cases({{{{t, 1, 4}}, Expr::let(1, Type::f32, {t - 1})}}, x.zero());
  kernel.lets = {
      {{0}, {}, Combiner::none, {before}, {Type::f32}},
      {{0}, {}, Combiner::none, {Expr::let(0, Type::f32, {t}) + x.at({t})}, {Type::f32}}};
  Write write;
  write.over = {0};
  write.to = y.value();
  write.at = {t};
  write.value = Expr::let(1, Type::f32, {t});
  kernel.writes = {write};
  g.graph.steps = {kernel};
  EXPECT_EQ(choose_loops(g.graph, wide_machine()).plans.at(StepId{0}).family, "recurrent");
  expect_same(g.graph, fuse(g.graph, {}));
}

TEST(Fusible, AxesAreCutAlikeWhereOneSideHasThemJoined) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 5}), y = g.output("y", {2, 3, 5}), s = g.value("s", {6, 5});
  KernelBuilder first;
  const Index i = first.axis(6), j = first.axis(5);
  first.write(s, {i, j}, x.at({i, j}) / first.reduce(Combiner::max, {j}, x.at({i, j})));
  KernelBuilder second;
  const Index a = second.axis(2), b = second.axis(3), c = second.axis(5);
  second.write(y, {a, b, c},
               s.at({a * 3 + b, c}) + second.reduce(Combiner::sum, {c}, s.at({a * 3 + b, c})));
  const Kernel producer = GraphFixture::named("first", first),
               reader = GraphFixture::named("second", second);
  const std::optional<Fusible> fusible = find_fusible(producer, reader);
  ASSERT_TRUE(fusible.has_value());
  EXPECT_EQ(fusible->producer.axes.size(), 3u);
  g.graph.steps = {producer, reader};
  const KernelGraph before = g.graph;
  g.graph.steps = {fused(*fusible, 0)};
  expect_same(before, g.graph);
  // In another order of the loops.
  KernelBuilder third;
  const Index p = third.axis(3), q = third.axis(2), r = third.axis(5);
  const Operand z = g.output("z", {3, 2, 5});
  third.write(z, {p, q, r}, s.at({q * 3 + p, r}));
  EXPECT_TRUE(find_fusible(producer, GraphFixture::named("third", third)).has_value());
  KernelBuilder backwards;
  const Index t = backwards.axis(6), u = backwards.axis(5);
  const Operand w = g.output("w", {6, 5});
  backwards.write(w, {t, u}, s.at({Index(5) - t, u}));
  EXPECT_FALSE(find_fusible(producer, GraphFixture::named("backwards", backwards)).has_value());
}

TEST(Fusible, ACyclicShiftOfTheRowsIsAnotherOrderOfThem) {
  GraphFixture g;
  const Operand x = g.input("x", {6, 5}), y = g.output("y", {2, 3, 5}), s = g.value("s", {6, 5});
  KernelBuilder first;
  const Index i = first.axis(6), j = first.axis(5);
  first.write(s, {i, j}, x.at({i, j}) / first.reduce(Combiner::max, {j}, x.at({i, j})));
  KernelBuilder second;
  const Index a = second.axis(2), b = second.axis(3), c = second.axis(5);
  second.write(y, {a, b, c}, s.at({mod(a * 3 + b + 4, 6), c}) * 2.0);
  const Kernel producer = GraphFixture::named("first", first),
               reader = GraphFixture::named("second", second);
  const std::optional<Fusible> fusible = find_fusible(producer, reader);
  ASSERT_TRUE(fusible.has_value());
  g.graph.steps = {producer, reader};
  const KernelGraph before = g.graph;
  g.graph.steps = {fused(*fusible, 0)};
  expect_same(before, g.graph);
}

}  // namespace
}  // namespace burin::cascade_test
