// Bind, Check, If, Loop, open extents, symbols of inputs, refusals.
#include <gtest/gtest.h>

#include "support/check.h"
#include "support/diagnostics.h"
#include "unit/support/kernel_maker.h"

namespace burin::interpreter_steps_test {
namespace {

Expr i64(int64_t value) { return Expr::constant(Type::i64, value); }

// to[] := value
Kernel assign(ValueId to, const Expr& value) {
  Kernel k;
  k.writes.push_back({{}, to, {}, value, {}, How::store});
  return k;
}

Symbol iteration(const std::string& name) {
  return make_symbol(name, 0, 1 << 20, SymbolOrigin::iter);
}

TEST(InterpretSteps, BindGivesASizeFromData) {
  GraphMaker g;
  const Symbol k = make_symbol("k", 0, 6, SymbolOrigin::run);
  const Dim extent = Index::symbol(k);
  const ValueId n = g.input("n", Type::i64, {}), y = g.output("y", Type::i64, {extent});
  Kernel iota;
  const Index i = axis_of(iota, extent);
  iota.writes.push_back({{0}, y, {i}, Expr::index(i * 10), {}, How::store});
  g.graph.steps = {Bind{k, g.load(n, {}) + i64(1), {}}, iota};
  const RunResult run = g.run({integers({}, {3})});
  ASSERT_EQ(run.status, kRunOk);
  EXPECT_EQ(run.outputs[0].shape, (std::vector<int64_t>{4}));
  EXPECT_EQ(numbers_of(run.outputs[0]), (std::vector<double>{0, 10, 20, 30}));
  const RunResult outside = g.run({integers({}, {6})});
  EXPECT_EQ(outside.status, kRunCheckFailed);
  EXPECT_EQ(outside.message, "'k' is 7, outside 0 .. 6");
}

TEST(InterpretSteps, CheckStopsTheRun) {
  GraphMaker g;
  const Dim n = Index::symbol(make_symbol("N")), m = Index::symbol(make_symbol("M"));
  const ValueId x = g.input("x", Type::f32, {n}), y = g.input("y", Type::f32, {m}),
                z = g.output("z", Type::f32, {n});
  g.graph.symbols = {n.as_symbol(), m.as_symbol()};
  Kernel add;
  const Index i = axis_of(add, n);
  add.writes.push_back({{0}, z, {i}, g.load(x, {i}) + g.load(y, {i}), {}, How::store});
  g.graph.steps = {Check{{{m - n, 0, 1}}, "input 'y' dimension 0", {}}, add};
  EXPECT_EQ(g.run({floats({2}, {1, 2}), floats({2}, {3, 4})}).status, kRunOk);
  const RunResult differ = g.run({floats({2}, {1, 2}), floats({3}, {3, 4, 5})});
  EXPECT_EQ(differ.status, kRunCheckFailed);
  EXPECT_EQ(differ.message, "input 'y' dimension 0");
  EXPECT_TRUE(differ.outputs.empty());
}

// Collatz: while x != 1 and i < 50: x = even ? x / 2 : 3x + 1, an If inside a Loop.
TEST(InterpretSteps, IfInsideALoopCarriesState) {
  GraphMaker g;
  const ValueId start = g.input("start", Type::i64, {}), x = g.internal("x", Type::i64, {}),
                next = g.internal("next", Type::i64, {}), y = g.output("y", Type::i64, {}),
                count = g.output("count", Type::i64, {});
  const Symbol executed = make_symbol("executed", 0, 50, SymbolOrigin::run);
  const Expr now = g.load(x, {});
  auto branch = std::make_shared<If>();
  branch->condition = compare(Binary::eq, Expr::binary(Binary::mod, now, i64(2)), i64(0));
  branch->then_steps = {assign(next, now / i64(2))};
  branch->else_steps = {assign(next, now * i64(3) + i64(1))};
  auto loop = std::make_shared<Loop>();
  loop->iteration = iteration("i");
  loop->trips = 50;
  loop->condition = compare(Binary::ne, now, i64(1));
  loop->body = {branch, assign(x, g.load(next, {}))};
  loop->executed = executed;
  g.graph.steps = {assign(x, g.load(start, {})), loop, assign(y, now),
                   assign(count, Expr::index(Index::symbol(executed)))};
  for (const auto& [from, steps, last] :
       {std::array<int64_t, 3>{6, 8, 1}, {1, 0, 1}, {27, 50, 566}}) {
    const RunResult run = g.run({integers({}, {from})});
    ASSERT_EQ(run.status, kRunOk);
    EXPECT_EQ(run.outputs[1].get(0).integer, steps) << from;
    EXPECT_EQ(run.outputs[0].get(0).integer, last) << from;
  }
}

// sums[i] = sum_{j <= i} j * x, in two nested loops; the rows that ran are the output.
TEST(InterpretSteps, NestedLoopsAndAnOpenFirstExtent) {
  GraphMaker g;
  const Symbol executed = make_symbol("rows", 0, 8, SymbolOrigin::run);
  const Symbol outer_i = iteration("i"), inner_j = iteration("j");
  const ValueId x = g.input("x", Type::i64, {2}), limit = g.input("limit", Type::i64, {}),
                row = g.internal("row", Type::i64, {2}),
                all = g.output("all", Type::i64, {Index::symbol(executed), 2});
  Kernel clear;
  axis_of(clear, 2);
  clear.writes.push_back({{0}, row, {Index::axis(0, 2)}, i64(0), {}, How::store});
  Kernel accumulate;
  const Index c = axis_of(accumulate, 2);
  accumulate.writes.push_back(
      {{0}, row, {c}, g.load(x, {c}) * Expr::index(Index::symbol(inner_j)), {}, How::add});
  auto inner = std::make_shared<Loop>();
  inner->iteration = inner_j;
  inner->trips = Index::symbol(outer_i) + 1;
  inner->condition = Expr::boolean(true);
  inner->body = {accumulate};
  Kernel keep;
  const Index k = axis_of(keep, 2);
  keep.writes.push_back({{0}, all, {Index::symbol(outer_i), k}, g.load(row, {k}), {}, How::store});
  auto outer = std::make_shared<Loop>();
  outer->iteration = outer_i;
  outer->trips = 8;
  outer->condition = compare(Binary::lt, Expr::index(Index::symbol(outer_i)), g.load(limit, {}));
  outer->body = {clear, inner, keep};
  outer->executed = executed;
  g.graph.steps = {outer};
  const RunResult run = g.run({integers({2}, {1, 10}), integers({}, {4})});
  ASSERT_EQ(run.status, kRunOk);
  EXPECT_EQ(run.outputs[0].shape, (std::vector<int64_t>{4, 2}));
  EXPECT_EQ(numbers_of(run.outputs[0]), (std::vector<double>{0, 0, 1, 10, 3, 30, 6, 60}));
  InterpretOptions few;
  few.operations = 100;
  EXPECT_EQ(g.run({integers({2}, {1, 10}), integers({}, {4})}, few).status, kRunOverBudget);
}

TEST(InterpretSteps, AValueMustBeWrittenBeforeItIsRead) {
  GraphMaker g;
  const ValueId x = g.internal("x", Type::i64, {}), y = g.output("y", Type::i64, {});
  g.graph.steps = {assign(y, g.load(x, {}))};
  EXPECT_THROW(g.run({}), InternalError);
  g.graph.steps = {assign(x, i64(1))};
  EXPECT_THROW(g.run({}), InternalError);  // y is an output that nothing writes
}

TEST(InterpretSteps, OutputsMayBeInputsOrConstants) {
  GraphMaker g;
  const ValueId x = g.input("x", Type::f32, {2});
  const ValueId c = g.constant("c", floats({1}, {7}));
  g.graph.outputs = {c, x};
  const RunResult run = g.run({floats({2}, {1, 2})});
  ASSERT_EQ(run.status, kRunOk);
  EXPECT_EQ(numbers_of(run.outputs[0]), (std::vector<double>{7}));
  EXPECT_EQ(numbers_of(run.outputs[1]), (std::vector<double>{1, 2}));
}

// Folding: some kernels of a graph, on constants only.
TEST(InterpretSteps, ExecuteStepsIntoAnEnvironment) {
  GraphMaker g;
  const ValueId c = g.constant("c", integers({3}, {1, 2, 3})), y = g.internal("y", Type::i64, {3});
  Kernel k;
  const Index i = axis_of(k, 3);
  k.writes.push_back({{0}, y, {i}, g.load(c, {2 - i}) * i64(2), {}, How::store});
  Environment environment;
  ASSERT_EQ(execute_steps({k}, g.graph.values, environment).status, kRunOk);
  EXPECT_EQ(environment.tensor(g.graph.values, y), integers({3}, {6, 4, 2}));
  EXPECT_EQ(environment.tensor(g.graph.values, c), integers({3}, {1, 2, 3}));
  environment.left.operations = 2;
  EXPECT_EQ(execute_steps({k}, g.graph.values, environment).status, kRunOverBudget);
}

TEST(InterpretSteps, ProceduresDetermineSizes) {
  GraphMaker g;
  const Symbol count = make_symbol("count", 0, 6, SymbolOrigin::run);
  const ValueId x = g.input("x", Type::f16, {2, 3});
  const ValueId y = g.output("y", Type::i64, {2, Index::symbol(count)});
  Procedure procedure;
  procedure.function = "non_zero";
  procedure.element = Type::f16;
  procedure.reads = {x};
  procedure.writes = {y};
  procedure.arguments = {6, 2, 2, 3};
  procedure.results = {count};
  procedure.scratch_bytes = 16;
  g.graph.steps = {procedure};
  const RunResult run =
      g.run({make_tensor(Type::f16, {2, 3}, std::vector<double>{0, 5, -0.0, 1, 0, 2})});
  ASSERT_EQ(run.status, kRunOk);
  EXPECT_EQ(run.outputs[0], integers({2, 3}, {0, 1, 1, 1, 0, 2}));
  const RunResult none = g.run({make_tensor(Type::f16, {2, 3}, std::vector<double>(6))});
  ASSERT_EQ(none.status, kRunOk);
  EXPECT_EQ(none.outputs[0].shape, (std::vector<int64_t>{2, 0}));

  procedure.arguments[0] = 2;  // a capacity that is too small is the run's failure
  g.graph.steps = {procedure};
  const RunResult full =
      g.run({make_tensor(Type::f16, {2, 3}, std::vector<double>{1, 1, 1, 0, 0, 0})});
  EXPECT_EQ(full.status, kRunProcedure + 8);
  procedure.scratch_bytes = 8;
  g.graph.steps = {procedure};
  EXPECT_THROW(g.run({make_tensor(Type::f16, {2, 3}, std::vector<double>(6))}), InternalError);
  procedure.function = "no_such_procedure";
  g.graph.steps = {procedure};
  EXPECT_THROW(g.run({make_tensor(Type::f16, {2, 3}, std::vector<double>(6))}), InternalError);
}

TEST(InterpretSteps, ProceduresOfOptionalOutputs) {
  GraphMaker g;
  const ValueId x = g.input("x", Type::f32, {2, 4}), y = g.output("y", Type::i64, {2, 2});
  Procedure procedure;
  procedure.function = "top_k";
  procedure.element = Type::f32;
  procedure.reads = {x};
  procedure.writes = {kNoValue, y};
  procedure.arguments = {2, 4, 1, 2, 1};
  procedure.scratch_bytes = 16;
  g.graph.steps = {procedure};
  const RunResult run = g.run({floats({2, 4}, {1, 4, 4, 2, -3, -1, -2, -5})});
  ASSERT_EQ(run.status, kRunOk);
  EXPECT_EQ(run.outputs[0], integers({2, 2}, {1, 2, 1, 2}));
}

std::string refusal(const KernelGraph& graph, const std::vector<std::vector<int64_t>>& shapes) {
  try {
    bind_symbols(graph, shapes);
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(BindSymbols, SolvesAndChecks) {
  GraphMaker g;
  const Dim n = Index::symbol(make_symbol("N", 1, 64)), m = Index::symbol(make_symbol("M"));
  g.input("x", Type::f32, {n * 2 + 1, n * m});
  g.input("y", Type::f32, {m, 3});
  g.graph.symbols = {n.as_symbol(), m.as_symbol()};
  const std::map<std::string, int64_t> expected{{"M", 5}, {"N", 4}};
  EXPECT_EQ(bind_symbols(g.graph, {{9, 20}, {5, 3}}), expected);
  EXPECT_EQ(refusal(g.graph, {{9, 21}, {5, 3}}),
            "error: input 'x' dimension 1 is 21, the model has M*N [shape-mismatch]");
  EXPECT_EQ(refusal(g.graph, {{8, 20}, {5, 3}}),
            "error: input 'x' dimension 0 is 8, the model has 2*N + 1 [shape-mismatch]");
  EXPECT_EQ(refusal(g.graph, {{9, 20}, {5, 4}}),
            "error: input 'y' dimension 1 is 4, the model has 3 [shape-mismatch]");
  EXPECT_EQ(refusal(g.graph, {{9, 20}, {5}}),
            "error: input 'y' has 1 dimensions, the model has [M, 3] [shape-mismatch]");
  EXPECT_EQ(refusal(g.graph, {{131, 325}, {5, 3}}),
            "error: input 'x' dimension 0 makes 'N' 65, which is not between 1 and 64 "
            "[out-of-range]; allow it with --dim 'N=1..65'");
  EXPECT_EQ(refusal(g.graph, {{9, 20}}),
            "error: 1 inputs are given, the model has 2 [input-count]");
}

TEST(BindSymbols, WhatNothingDeterminesIsRefused) {
  GraphMaker g;
  const Dim n = Index::symbol(make_symbol("N")), m = Index::symbol(make_symbol("M"));
  g.input("x", Type::f32, {n * m});
  g.graph.symbols = {n.as_symbol(), m.as_symbol()};
  EXPECT_EQ(refusal(g.graph, {{6}}),
            "error: the inputs do not determine 'N' [unbound-dimension]; give it with --dim 'N=1' or another number");
}

TEST(InterpretSteps, InputsOfTheWrongTypeAreRefused) {
  GraphMaker g;
  const ValueId x = g.input("x", Type::f32, {2});
  g.graph.outputs = {x};
  EXPECT_THROW(interpret(g.graph, {integers({2}, {1, 2})}, {}), Refused);
  EXPECT_THROW(interpret(g.graph, {floats({3}, {1, 2, 3})}, {}), Refused);
}

}  // namespace
}  // namespace burin::interpreter_steps_test
