// check_kernel_graph() finds every broken invariant.
#include <gtest/gtest.h>

#include "passes/graph_fixture.h"
#include "support/check.h"

namespace burin::kernel_graph_check_test {
namespace {

// t = 2 * x; y[i] = sum over j of t[i, j] * w[j], where positive; n is bound from w.
struct GoodGraph : GraphFixture {
  GoodGraph() {
    const Operand x = input("x", {4, 3}), y = output("y", {4}), t = value("t", {4, 3});
    const Operand w = constant("w", {3});
    map("double", t, [&](const Indices& at) { return x.at(at) * 2; });
    Kernel kernel;
    kernel.name = "product";
    kernel.axes = {{4, AxisKind::parallel, ""}, {3, AxisKind::reduce, ""}};
    const Index i = Index::axis(0, 4), j = Index::axis(1, 3);
    kernel.lets = {{{0}, {1}, Combiner::sum, {t.at({i, j}) * w.at({j})}, {Type::f32}}};
    const Expr sum = Expr::let(0, Type::f32, {i});
    kernel.writes = {{{0}, y.value(), {i}, sum, {}, How::store}};
    graph.steps.emplace_back(kernel);
    symbol = std::make_shared<const SymbolInfo>(SymbolInfo{"n", SymbolOrigin::run, 0, 9, 0});
    graph.steps.emplace_back(Bind{symbol, Expr::constant(Type::i64, 3), {}});
    graph.steps.emplace_back(Check{{{Index::symbol(symbol), 1, 10}}, "n", {}});
  }
  Kernel& product() { return std::get<Kernel>(graph.steps[1]); }
  Symbol symbol;
};

template <class Change>
std::string broken(Change&& change) {
  GoodGraph good;
  change(good);
  try {
    check_kernel_graph(good.graph);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_found(const std::string& message, const std::string& where, const std::string& rule) {
  EXPECT_NE(message.find(where + ": " + rule), std::string::npos) << message;
}

TEST(KernelGraphCheck, AcceptsAGoodGraph) {
  EXPECT_NO_THROW(check_kernel_graph(GoodGraph().graph));
}

TEST(KernelGraphCheck, FindsWhatIsUsedBeforeItIsDefined) {
  expect_found(broken([](GoodGraph& g) { std::swap(g.graph.steps[0], g.graph.steps[1]); }),
               "kernel 'product'", "value 't' is read before it is written");
  expect_found(broken([](GoodGraph& g) { std::swap(g.graph.steps[2], g.graph.steps[3]); }),
               "check of n", "symbol 'n' has no value yet");
  expect_found(broken([](GoodGraph& g) {
                 g.product().lets[0].body[0] = Expr::let(0, Type::f32, {Index::axis(0, 4)}) * 2;
               }),
               "kernel 'product'", "a let is used before it is computed");
  expect_found(broken([](GoodGraph& g) {
                 const auto branch = std::make_shared<If>();
                 branch->condition = Expr::boolean(true);
                 branch->then_steps = {g.graph.steps[0]};
                 g.graph.steps[0] = branch;
               }),
               "kernel 'product'", "value 't' is read before it is written");
  expect_found(broken([](GoodGraph& g) { g.graph.steps.erase(g.graph.steps.begin() + 1); }),
               "check of n", "value 'y' is read before it is written");
}

TEST(KernelGraphCheck, FindsBrokenAxes) {
  const std::string product = "kernel 'product'";
  expect_found(broken([](GoodGraph& g) { g.product().lets[0].reduced = {2}; }), product,
               "no such axis");
  expect_found(broken([](GoodGraph& g) {
                 g.product().lets[0].reduced = {1, 1};
               }),
               product, "axes are not in order");
  expect_found(broken([](GoodGraph& g) {
                 g.product().lets[0].reduced = {0, 1};
               }),
               product, "an axis is kept and reduced");
  expect_found(broken([](GoodGraph& g) { g.product().lets[0].reduced = {}; }), product,
               "axis i1 is used outside its loop");
  expect_found(broken([](GoodGraph& g) { g.product().writes[0].over = {}; }), product,
               "axis i0 is used outside its loop");
  expect_found(broken([](GoodGraph& g) { g.product().lets[0].op = Combiner::none; }), product,
               "a map reduces axes");
}

TEST(KernelGraphCheck, FindsBrokenRanksAndTypes) {
  const std::string product = "kernel 'product'";
  expect_found(broken([](GoodGraph& g) { g.product().writes[0].at.push_back(0); }), product,
               "a write has another rank than its value");
  expect_found(broken([](GoodGraph& g) { g.graph.values[2].shape.push_back(1); }),
               "kernel 'double'", "a write has another rank than its value");
  expect_found(broken([](GoodGraph& g) { g.graph.values[0].shape.push_back(1); }),
               "kernel 'double'", "a load has another rank than its value");
  expect_found(broken([](GoodGraph& g) { g.graph.values[0].type = Type::f64; }), "kernel 'double'",
               "a load has another type than its value");
  expect_found(broken([](GoodGraph& g) { g.graph.values[1].type = Type::i32; }), product,
               "a write has another type");
  expect_found(broken([](GoodGraph& g) { g.graph.values[3].shape = {4}; }), "value 'w'",
               "the bytes of a constant are not those of its shape");
  expect_found(broken([](GoodGraph& g) { g.product().writes[0].to = 0; }), product,
               "a write has another rank than its value");
  expect_found(broken([](GoodGraph& g) { g.product().writes[0].to = 3; }), product,
               "an input or a constant is written");
  expect_found(broken([](GoodGraph& g) { g.product().writes[0].to = 99; }), product,
               "no such value");
}

}  // namespace
}  // namespace burin::kernel_graph_check_test
