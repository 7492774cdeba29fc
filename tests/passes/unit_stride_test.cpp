// Operands that may be broadcast along rows: how they are read, which loops get a second version,
// what its checker sees.
#include "select/schedule/unit_stride.h"

#include "graph_fixture.h"
#include "ops/api/movement/stretch.h"
#include "select/choose.h"
#include "small_hardware.h"

namespace burin::unit_stride_test {
namespace {

Dim size(const char* name, int64_t least = 1) {
  SymbolInfo info;
  info.name = name;
  info.origin = SymbolOrigin::param;
  info.min = least;
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

Indices read_at(const Expr& load) { return load->at; }

// z = x + y, where it is dynamic which of the two is broadcast along which dimension.
const KernelGraph& sum(GraphFixture& g, const Shape& x_shape, const Shape& y_shape) {
  Shape shape;
  for (size_t d = 0; d < x_shape.size(); ++d) {
    shape.push_back(max(x_shape[d], y_shape[d]));
    shape.back().collect_symbols(g.graph.symbols);
  }
  const Operand x = g.input("x", x_shape), y = g.input("y", y_shape), z = g.output("z", shape);
  g.map("Add", z, [&](const Indices& at) { return stretched_at(x, at) + stretched_at(y, at); });
  return g.graph;
}

LoopPlan scheduled(const KernelGraph& graph, bool versions = true) {
  SelectOptions options;
  if (!versions) options.without = words_of_switch("versions");
  return choose_loops(graph, small_hardware({{32768, 4, 64, 1}}), options).plans.at(StepId{0});
}

ForLoop innermost(const LoopPlan& schedule) {
  const auto* loop = std::get_if<ForLoop>(&schedule.loops.at(0).node);
  while (const auto* inside = std::get_if<ForLoop>(&loop->nodes.at(0).node)) loop = inside;
  return *loop;
}

TEST(UnitStride, ADimensionThatMayBeOneHasAStep) {
  GraphFixture g;
  const Dim open = size("open"), many = size("many", 2), all = size("all");
  const Operand x = g.input("x", {open, many, all, 1, 7});
  const Dim wide = max(open, size("other")), rows = max(many, size("others"));
  const Index i = Index::axis(0, wide), j = Index::axis(1, rows), k = Index::axis(2, all),
              l = Index::axis(3, size("some")), m = Index::axis(4, 7);
  EXPECT_EQ(read_at(stretched_at(x, {i, j, k, l, m})),
            (Indices{i * min(Index(1), open - 1), j, k, 0, m}));
}

TEST(UnitStride, TwoVersionsWhereRowsMayBeBroadcast) {
  GraphFixture g;
  const Dim a = size("a"), b = size("b"), c = size("c"), d = size("d");
  const KernelGraph& graph = sum(g, {a, b}, {c, d});
  const LoopPlan schedule = scheduled(graph);
  const ForLoop loop = innermost(schedule);
  ASSERT_EQ(loop.strides.size(), 2u);
  EXPECT_EQ(loop.unit_stride.size(), 1u);
  EXPECT_EQ(check_unit_stride(schedule), "");
  const auto text = [](const LoopNodes& nodes) {
    return to_string(std::get<Store>(nodes.at(0).node).value);
  };
  for (const Index& step : loop.strides) {
    EXPECT_NE(text(loop.nodes).find(to_string(step)), std::string::npos);
    EXPECT_EQ(text(loop.unit_stride).find(to_string(step)), std::string::npos);
  }
  EXPECT_TRUE(innermost(scheduled(graph, false)).unit_stride.empty());
}

TEST(UnitStride, OneVersionWhereRowsAreWhole) {
  GraphFixture rows, turned;
  const Dim a = size("a"), b = size("b"), n = size("n");
  EXPECT_TRUE(innermost(scheduled(sum(rows, {a, n}, {b, n}))).unit_stride.empty());
  // Its neighbours along the loop are no neighbours in memory.
  const Operand x = turned.input("x", {a, n}), z = turned.output("z", {n, max(a, b)});
  turned.map("Transpose", z, [&](const Indices& at) { return stretched_at(x, {at[1], at[0]}); });
  EXPECT_TRUE(innermost(scheduled(turned.graph)).unit_stride.empty());
}

TEST(UnitStride, BothGiveWhatTheDefinitionGives) {
  GraphFixture g;
  const KernelGraph& graph = sum(g, {size("a"), size("b")}, {size("c"), size("d")});
  for (const auto& [a, b, c, d] : {std::tuple<int64_t, int64_t, int64_t, int64_t>{2, 5, 2, 5},
                                   {2, 5, 1, 1},
                                   {1, 1, 3, 4},
                                   {1, 6, 3, 1},
                                   {1, 1, 1, 1}}) {
    const std::map<std::string, int64_t> sizes = {{"a", a}, {"b", b}, {"c", c}, {"d", d}};
    const std::vector<HostTensor> inputs = sample_inputs(graph, sizes);
    const HostTensor z = interpret(graph, inputs, sizes).outputs.at(0);
    const int64_t rows = std::max(a, c), columns = std::max(b, d);
    ASSERT_EQ(z.elements(), rows * columns);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        const double x = inputs[0].get((a == 1 ? 0 : i) * b + (b == 1 ? 0 : j)).number,
                     y = inputs[1].get((c == 1 ? 0 : i) * d + (d == 1 ? 0 : j)).number;
        EXPECT_EQ(z.get(i * columns + j).number, x + y) << a << b << c << d;
      }
    }
  }
}

TEST(UnitStride, TheCheckerSeesVersionsThatDiffer) {
  GraphFixture g;
  const LoopPlan schedule = scheduled(sum(g, {size("a")}, {size("b")}));
  const auto broken = [&](const auto& change) {
    LoopPlan copy = schedule;
    change(std::get<ForLoop>(copy.loops.at(0).node));
    return check_unit_stride(copy);
  };
  EXPECT_NE(broken([](ForLoop& loop) { loop.strides.clear(); }), "");
  EXPECT_NE(broken([](ForLoop& loop) { loop.unit_stride.push_back(loop.unit_stride[0]); }), "");
  EXPECT_NE(broken([](ForLoop& loop) { loop.strides = {Index::axis(0, 7)}; }), "");
  EXPECT_NE(broken([](ForLoop& loop) {
              Store& store = std::get<Store>(loop.unit_stride[0].node);
              store.value = store.value + 1.0;
            }),
            "");
  EXPECT_NE(broken([](ForLoop& loop) { std::get<Store>(loop.unit_stride[0].node).write = 1; }), "");
}

}  // namespace
}  // namespace burin::unit_stride_test
