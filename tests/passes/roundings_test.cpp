// How often results are rounded, on graphs where it can be counted by hand.
#include "kernel/symbolic/roundings.h"

#include "graph_fixture.h"

namespace burin::roundings_test {
namespace {

using Rule = Expr (*)(const Expr&);

// The last value of a chain of maps over `x`.
Roundings after(Type type, Type stored, const std::vector<Rule>& chain) {
  GraphFixture g;
  Operand x = g.input("x", {4}, type);
  for (size_t k = 0; k < chain.size(); ++k) {
    const std::string name = "y" + std::to_string(k);
    const Operand y =
        k + 1 < chain.size() ? g.value(name, {4}, stored) : g.output(name, {4}, stored);
    g.map(name, y, [&](const Indices& at) { return chain[k](x.at(at)); });
    x = y;
  }
  return roundings_of(g.graph, [](ValueId) { return true; })
      .at(static_cast<size_t>(g.graph.outputs[0]));
}

Expr same(const Expr& x) { return x; }
Expr plus_one(const Expr& x) { return x + 1.0; }
Expr relu(const Expr& x) { return max(x, Expr::constant(x.type(), 0)); }
Expr exponential(const Expr& x) { return Expr::unary(Unary::exp, x); }
Expr root(const Expr& x) { return Expr::unary(Unary::sqrt, x); }
Expr sign_of(const Expr& x) {
  return Expr::select(compare(Binary::lt, x, Expr::constant(x.type(), 0)),
                      Expr::constant(x.type(), -1), Expr::constant(x.type(), 1));
}
Expr to_f32(const Expr& x) { return Expr::cast(Type::f32, x); }

TEST(Roundings, OfChains) {
  EXPECT_EQ(after(Type::f32, Type::f32, {same, relu, same}), Roundings::none);
  EXPECT_EQ(after(Type::f32, Type::f32, {same, plus_one, relu}), Roundings::one);
  EXPECT_EQ(after(Type::f32, Type::f32, {root}), Roundings::one);
  EXPECT_EQ(after(Type::f32, Type::f32, {plus_one, relu, plus_one}), Roundings::many);
  EXPECT_EQ(after(Type::f32, Type::f32, {exponential}), Roundings::many);
  EXPECT_EQ(after(Type::f32, Type::f32, {plus_one, sign_of}), Roundings::one)
      << "what a condition was rounded from";
}

TEST(Roundings, OfTypes) {
  EXPECT_EQ(after(Type::f16, Type::f16, {same, same}), Roundings::none) << "loaded as f32";
  EXPECT_EQ(after(Type::f16, Type::f16, {plus_one}), Roundings::one) << "stored in half the bits";
  EXPECT_EQ(after(Type::f32, Type::f16, {same}), Roundings::one);
  EXPECT_EQ(after(Type::i32, Type::i32, {same, same}), Roundings::none);
  EXPECT_EQ(after(Type::i64, Type::f32, {to_f32}), Roundings::one) << "more than 24 bits";
  EXPECT_EQ(after(Type::boolean, Type::f32, {to_f32}), Roundings::none);
}

TEST(Roundings, OfReductions) {
  for (const Combiner op : {Combiner::sum, Combiner::max, Combiner::first_max}) {
    GraphFixture g;
    const Operand x = g.input("x", {2, 3}), y = g.output("y", {2});
    KernelBuilder builder;
    const Indices row = builder.axes(y.shape());
    const Index column = builder.reduce_axis(3);
    const Expr element = x.at({row[0], column});
    const Expr best = op == Combiner::first_max
                          ? builder.reduce_tuple(op, {column}, {element, element}).at(1)
                          : builder.reduce(op, {column}, element);
    builder.write(y, row, best);
    g.kernel("reduce", builder);
    const auto all = roundings_of(g.graph, [](ValueId) { return true; });
    EXPECT_EQ(all.at(static_cast<size_t>(y.value())),
              op == Combiner::sum ? Roundings::many : Roundings::none);
  }
}

TEST(Roundings, ComputedConstantsCount) {
  GraphFixture g;
  const Operand c = g.constant("c", {4}), y = g.output("y", {4});
  g.map("copy", y, [&](const Indices& at) { return c.at(at); });
  const auto of = [&](bool given) {
    return roundings_of(g.graph, [&](ValueId) { return given; }).at(static_cast<size_t>(y.value()));
  };
  EXPECT_EQ(of(true), Roundings::none);
  EXPECT_EQ(of(false), Roundings::many);
}

TEST(Roundings, WhatALoopCarriesCountsEachTime) {
  GraphFixture g;
  const Operand x = g.input("x", {4}), state = g.value("state", {4}), next = g.value("next", {4}),
                y = g.output("y", {4});
  g.map("start", state, [&](const Indices& at) { return x.at(at); });
  auto loop = std::make_shared<Loop>();
  loop->trips = 3;
  loop->condition = Expr::boolean(true);
  Steps outside = std::move(g.graph.steps);
  g.graph.steps.clear();
  g.map("add", next, [&](const Indices& at) { return state.at(at) + 1.0; });
  g.map("carry", state, [&](const Indices& at) { return next.at(at); });
  loop->body = std::move(g.graph.steps);
  g.graph.steps = std::move(outside);
  g.graph.steps.emplace_back(loop);
  g.map("end", y, [&](const Indices& at) { return state.at(at); });
  const auto all = roundings_of(g.graph, [](ValueId) { return true; });
  EXPECT_EQ(all.at(static_cast<size_t>(y.value())), Roundings::many);
  EXPECT_EQ(all.at(static_cast<size_t>(x.value())), Roundings::none);
}

}  // namespace
}  // namespace burin::roundings_test
