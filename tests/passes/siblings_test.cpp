// Products of one input that differ in what follows their sums, or whose weights have more than two
// dimensions.
#include <cmath>

#include "fuse/fuse.h"
#include "fuse/siblings/sibling_steps.h"
#include "graph_fixture.h"

namespace burin::siblings_test {
namespace {

using Follow = std::function<Expr(const Expr& sum, const std::string& name, const Index& column)>;

// y[m, n] = (a * b + c)[m, n] of three products of x, each with what follows it.
KernelGraph products(GraphFixture& g, const Follow& a, const Follow& b, const Follow& c) {
  const Operand x = g.input("x", {9, 16}), y = g.output("y", {9, 8});
  std::vector<Operand> made;
  for (const auto& [name, follow] : {std::pair{"a", &a}, {"b", &b}, {"c", &c}}) {
    const std::string label = name;
    const Operand sum = g.value(label + "_sum", {9, 8}), one = g.value(label, {9, 8});
    matmul(g, label, x, g.constant(label + "_w", {16, 8}, made.empty() ? 1 : -1), sum);
    g.map(label + "_follow", one,
          [&](const Indices& at) { return (*follow)(sum.at(at), label, at[1]); });
    made.push_back(one);
  }
  KernelBuilder kernel;
  const Index m = kernel.axis(9), n = kernel.axis(8), i = kernel.reduce_axis(9);
  kernel.write(y, {m, n},
               kernel.reduce(Combiner::sum, {i}, made[0].at({m, n}) * made[1].at({i, n})) +
                   made[2].at({m, n}));
  g.kernel("Reader", kernel);
  return g.graph;
}

void expect_joined(const std::function<KernelGraph(GraphFixture&)>& graph, int kernels) {
  GraphFixture g;
  const KernelGraph before = graph(g);
  const KernelGraph fused = fuse(before, {});
  EXPECT_EQ(count_kernels(fused), kernels) << to_string(fused);
  expect_same(before, fused);
}

TEST(SiblingsApart, ABiasOrAScaleThatSomeHaveIsNoObstacle) {
  expect_joined(
      [](GraphFixture& g) {
        const auto bias = [&](const Expr& sum, const std::string& name, const Index& column) {
          return g.constant(name + "_b", {8}, 3).at({column}) + sum;
        };
        const auto bias_and_scale = [&](const Expr& sum, const std::string& name,
                                        const Index& column) {
          return bias(sum, name, column) * 0.25;
        };
        const auto nothing = [](const Expr& sum, const std::string&, const Index&) { return sum; };
        return products(g, bias_and_scale, nothing, bias);
      },
      2);
}

TEST(SiblingsApart, StepsInAnyOrder) {
  expect_joined(
      [](GraphFixture& g) {
        const auto one = [&](const Expr& sum, const std::string& name, const Index& column) {
          return (sum - g.constant(name + "_b", {8}, 3).at({column})) / 4;
        };
        const auto two = [&](const Expr& sum, const std::string& name, const Index& column) {
          return sum * 2 + g.constant(name + "_b", {8}, -3).at({column});
        };
        const auto three = [](const Expr& sum, const std::string&, const Index&) {
          return max(sum * 0.5, Expr::constant(Type::f32, 0));
        };
        return products(g, one, two, three);
      },
      3);
}

TEST(SiblingsApart, WhatIsInsideAFunctionOfAllOfThem) {
  expect_joined(
      [](GraphFixture& g) {
        const Expr zero = Expr::constant(Type::f32, 0);
        const auto one = [&](const Expr& sum, const std::string& name, const Index& column) {
          return max(sum + g.constant(name + "_b", {8}, 3).at({column}), zero);
        };
        const auto two = [&](const Expr& sum, const std::string&, const Index&) {
          return max(sum, zero);
        };
        return products(g, one, two, two);
      },
      2);
}

TEST(SiblingsApart, WhatAddsAnInputStaysAlone) {
  expect_joined(
      [](GraphFixture& g) {
        const Operand more = g.input("more", {8});
        const auto one = [=](const Expr& sum, const std::string&, const Index& column) {
          return sum + more.at({column});
        };
        const auto nothing = [](const Expr& sum, const std::string&, const Index&) { return sum; };
        return products(g, one, nothing, nothing);
      },
      3);
}

// y[m] = sum over h, d of q * k * v of products with weights [16, heads, size].
TEST(SiblingsApart, WeightsOfThreeDimensionsLieSideBySideAlongOneOfThem) {
  struct Case {
    int64_t heads[3], sizes[3];
    std::vector<Dim> whole;
  };
  for (const Case& one : {Case{{2, 2, 2}, {4, 4, 4}, {9, 6, 4}},
                          {{4, 2, 2}, {4, 4, 4}, {9, 8, 4}},
                          {{2, 2, 2}, {4, 4, 6}, {9, 2, 14}}}) {
    GraphFixture g;
    const Operand x = g.input("x", {9, 16}), y = g.output("y", {9});
    std::vector<Operand> made;
    for (int k = 0; k < 3; ++k) {
      const std::string name = std::to_string(k);
      const Operand w = g.constant("w" + name, {16, one.heads[k], one.sizes[k]}, k - 1);
      const Operand b = g.constant("b" + name, {one.heads[k], one.sizes[k]}, k);
      const Operand sum = g.value("sum" + name, {9, one.heads[k], one.sizes[k]}),
                    part = g.value("part" + name, sum.shape());
      KernelBuilder kernel;
      const Index m = kernel.axis(9), h = kernel.axis(sum.dim(1)), d = kernel.axis(sum.dim(2)),
                  i = kernel.reduce_axis(16);
      kernel.write(sum, {m, h, d},
                   kernel.reduce(Combiner::sum, {i}, x.at({m, i}) * w.at({i, h, d})));
      g.kernel("Einsum" + name, kernel);
      g.map("Add" + name, part, [&](const Indices& at) {
        return k == 1 ? sum.at(at) : sum.at(at) + b.at({at[1], at[2]});
      });
      made.push_back(part);
    }
    KernelBuilder kernel;
    const Index m = kernel.axis(9), i = kernel.reduce_axis(9), d = kernel.reduce_axis(4);
    kernel.write(
        y, {m},
        kernel.reduce(Combiner::sum, {i, d},
                      made[0].at({m, 0, d}) * made[1].at({i, 0, d}) * made[2].at({i, 0, d})));
    g.kernel("Reader", kernel);
    FuseOptions options;
    options.demand_slicing = false;
    const KernelGraph fused = fuse(g.graph, options);
    const Kernel& product = std::get<Kernel>(fused.steps[0]);
    const Value& whole = fused.values[static_cast<size_t>(product.writes[0].to)];
    EXPECT_EQ(whole.shape, one.whole) << to_string(fused);
    expect_same(g.graph, fused);
  }
}

// What is left out leaves every number as it is, zeros of both signs and NaN among them.
TEST(SiblingsApart, StepsThatAreLeftOutChangeNothing) {
  const Expr let = Expr::let(0, Type::f32, {});
  const auto load = [](ValueId id) { return Expr::load(id, Type::f32, {}); };
  const SiblingSteps same = same_steps({let, load(1) + let, (let * load(2) - load(3)) / load(4)});
  ASSERT_EQ(same.steps.size(), 4U);
  for (const double number : {0.0, -0.0, 1.5, -double{INFINITY}, double{NAN}}) {
    Expr value = Expr::constant(Type::f32, number);
    for (const SiblingSteps::Step& step : same.steps)
      value = Expr::binary(step.op, value, step.operands[0]);
    EXPECT_EQ(std::signbit(value->number), std::signbit(number));
    EXPECT_TRUE(value->number == number || (std::isnan(number) && std::isnan(value->number)));
  }
}

}  // namespace
}  // namespace burin::siblings_test
