// What neighbouring points compute alike is a tensor of its own, and no bit changes.
#include "fuse/algebra/repeated_values.h"

#include "fuse/access/access.h"
#include "graph_fixture.h"

namespace burin::repeated_values_test {
namespace {

HostTensor numbers(const std::vector<int64_t>& shape) {
  HostTensor out = make_tensor(Type::f32, shape);
  for (int64_t i = 0; i < out.elements(); ++i)
    out.set(i, {static_cast<double>((i * 7 + i / 5) % 23) / 7 - 1.3, 0});
  return out;
}

// Rows of an image of `from` rows at `to` rows, and columns alike: as Resize has it.
struct Image {
  GraphFixture g;
  Operand x, y, down, across;
  Image(int64_t from, int64_t to, bool by_lets)
      : x(g.input("x", {3, from, from})),
        y(g.output("y", {3, to, to})),
        down(g.constant("down", {to}, 0.1)),
        across(g.constant("across", {to}, 0.3)) {
    KernelBuilder kernel;
    const Index c = kernel.axis(3), i = kernel.axis(to), j = kernel.axis(to);
    const auto first = [&](const Index& at) { return floordiv(at * from, to); };
    const auto second = [&](const Index& at) { return min(first(at) + 1, from - 1); };
    const Expr a = by_lets ? kernel.let({i}, down.at({i})) : down.at({i});
    const Expr b = by_lets ? kernel.let({j}, across.at({j})) : across.at({j});
    const auto along = [&](const Index& row) {
      return (1.0 - b) * x.at({c, row, first(j)}) + b * x.at({c, row, second(j)});
    };
    kernel.write(y, {c, i, j}, (1.0 - a) * along(first(i)) + a * along(second(i)));
    g.kernel("resize", kernel);
  }
};

void expect_same(const KernelGraph& before, const KernelGraph& after,
                 const std::vector<HostTensor>& inputs) {
  check_kernel_graph(after);
  const RunResult wanted = interpret(before, inputs, {}), got = interpret(after, inputs, {});
  ASSERT_EQ(got.status, kRunOk) << got.message;
  EXPECT_EQ(got.outputs, wanted.outputs) << to_string(after);
}

TEST(RepeatedValues, RowsOfALargerImageAreMadeOnce) {
  for (const bool by_lets : {false, true}) {
    const Image image(5, 17, by_lets);
    const KernelGraph after = with_values_once(image.g.graph);
    // One tensor for both rows.
    ASSERT_EQ(after.steps.size(), 2u) << to_string(after);
    const auto& rows = std::get<Kernel>(after.steps[0]);
    EXPECT_EQ(after.values[static_cast<size_t>(rows.writes[0].to)].shape, (Shape{3, 5, 17}));
    const auto& rest = std::get<Kernel>(after.steps[1]);
    EXPECT_EQ(load_points(rest, rows.writes[0].to).size(), 2u);
    expect_same(image.g.graph, after, {numbers({3, 5, 5})});
  }
}

TEST(RepeatedValues, AnImageThatGrowsLittleStays) {
  const Image image(9, 17, false);
  EXPECT_EQ(with_values_once(image.g.graph).steps.size(), 1u);
}

TEST(RepeatedValues, SizesOfTheCaller) {
  GraphFixture g;
  const Dim h = sized("h", 1, 64, 12), w = sized("w", 1, 64, 9);
  const Operand x = g.input("x", {h, w}), y = g.output("y", {h * 4, w});
  KernelBuilder kernel;
  const Index i = kernel.axis(h * 4), j = kernel.axis(w);
  const Index row = floordiv(i, 4);
  const auto far = [&](const Expr& one) { return one * one * 0.5 + 2.0; };
  kernel.write(y, {i, j}, far(x.at({row, j})) * Expr::cast(Type::f32, Expr::index(mod(i, 4))));
  g.graph.symbols = {h.as_symbol(), w.as_symbol()};
  g.kernel("rows", kernel);
  const KernelGraph after = with_values_once(g.graph);
  ASSERT_EQ(after.steps.size(), 2u);
  check_kernel_graph(after);
  const std::map<std::string, int64_t> sizes{{"h", 5}, {"w", 7}};
  const std::vector<HostTensor> inputs{numbers({5, 7})};
  EXPECT_EQ(interpret(after, inputs, sizes).outputs, interpret(g.graph, inputs, sizes).outputs);
}

// What is read where data says, what has a condition, and what depends on the axis otherwise stay.
TEST(RepeatedValues, WhatDependsOnMoreStays) {
  GraphFixture g;
  const Operand x = g.input("x", {4, 6}), y = g.output("y", {16, 6}), z = g.output("z", {16, 6});
  g.map("weighed", y, [&](const Indices& at) {
    const Expr one = x.at({floordiv(at[0], 4), at[1]});
    return one * Expr::cast(Type::f32, Expr::index(at[0])) + one * one;
  });
  g.map("chosen", z, [&](const Indices& at) {
    const Expr one = x.at({floordiv(at[0], 4), at[1]});
    return Expr::cases({{{{at[0], 0, 9}}, one * one * one + one}}, one);
  });
  EXPECT_EQ(with_values_once(g.graph).steps.size(), 2u);
}

}  // namespace
}  // namespace burin::repeated_values_test
