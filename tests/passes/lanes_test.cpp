// Reductions in lanes: which loops become partial results, and how many of them.
#include "select/schedule/lanes.h"

#include "graph_fixture.h"
#include "loops/run/run.h"
#include "select/choose.h"
#include "select/program_of.h"

namespace burin::lanes_test {
namespace {

Hardware machine(int vector_bytes) {
  Hardware hardware;
  hardware.vector.vector_bytes = vector_bytes;
  hardware.vector.registers = 16;
  return hardware;
}

const LaneLoop* find_row(const LoopNodes& nodes) {
  for (const LoopNode& node : nodes) {
    if (const auto* row = std::get_if<LaneLoop>(&node.node)) return row;
    if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
      if (const LaneLoop* row = find_row(loop->nodes)) return row;
    }
  }
  return nullptr;
}

// y[i] = combination of x[i, j] over j, which is read at `index(j)`.
LoopPlan reduction(Combiner op, int64_t length, Type type, const Hardware& hardware,
                   const std::function<Index(const Index&)>& index) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 4 * length}, type), y = g.output("y", {8}, type);
  KernelBuilder kernel;
  const Index i = kernel.axis(8), j = kernel.reduce_axis(length);
  kernel.write(y, {i}, kernel.reduce(op, {j}, x.at({i, index(j)})));
  g.kernel("Reduce", kernel);
  return best_plan(std::get<Kernel>(g.graph.steps[0]), g.graph.values, hardware);
}

Index same(const Index& j) { return j; }

TEST(Lanes, TwoRegistersOfPartialResults) {
  for (const auto& [bytes, lanes] : {std::pair{0, 4}, {16, 8}, {32, 16}, {64, 32}}) {
    const LoopPlan schedule = reduction(Combiner::sum, 1000, Type::f32, machine(bytes), same);
    const LaneLoop* row = find_row(schedule.loops);
    ASSERT_NE(row, nullptr) << bytes;
    EXPECT_EQ(row->lanes, lanes);
    EXPECT_EQ(row->end, Index(1000));
  }
  EXPECT_EQ(find_row(reduction(Combiner::max, 1000, Type::f64, machine(32), same).loops)->lanes, 8);
}

TEST(Lanes, ShortRowsIntegersAndCountedRowsStayAsTheyAre) {
  const Hardware hardware = machine(32);
  EXPECT_EQ(find_row(reduction(Combiner::sum, 15, Type::f32, hardware, same).loops), nullptr);
  EXPECT_EQ(find_row(reduction(Combiner::sum, 1000, Type::i32, hardware, same).loops), nullptr);
  // A quotient that no split of the axis removes.
  const auto uneven = [](const Index& j) { return floordiv(j, 7) + mod(j, 5); };
  EXPECT_EQ(find_row(reduction(Combiner::sum, 1000, Type::f32, hardware, uneven).loops), nullptr);
}

TEST(Lanes, ARowThatIsTooShortForTwoRegistersHasOne) {
  const Hardware hardware = machine(32);
  EXPECT_EQ(find_row(reduction(Combiner::sum, 32, Type::f32, hardware, same).loops)->lanes, 16);
  EXPECT_EQ(find_row(reduction(Combiner::sum, 31, Type::f32, hardware, same).loops)->lanes, 8);
  EXPECT_EQ(find_row(reduction(Combiner::sum, 16, Type::f32, hardware, same).loops)->lanes, 8);
}

// z[i] = combination over j, k and l of x[i, k, j, l], whose rows no longer axis joins.
LoopPlan of_rows(Combiner op, int64_t rows, int64_t length) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5, rows, length}), z = g.output("z", {3});
  KernelBuilder kernel;
  const Index i = kernel.axis(3), j = kernel.reduce_axis(rows), k = kernel.reduce_axis(5),
              l = kernel.reduce_axis(length);
  kernel.write(z, {i}, kernel.reduce(op, {j, k, l}, x.at({i, k, j, l})));
  g.kernel("Reduce", kernel);
  LoopPlan plan = best_plan(std::get<Kernel>(g.graph.steps[0]), g.graph.values, machine(32));
  const std::vector<HostTensor> inputs = sample_inputs(g.graph, {});
  Environment environment;
  environment.tensors[g.graph.inputs[0]] = inputs[0];
  const RunResult result =
      loops::run_loops(program_of(plan, g.graph.values), g.graph.values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  const HostTensor expected = interpret(g.graph, inputs, {}).outputs.at(0),
                   found = environment.tensor(g.graph.values, g.graph.outputs[0]);
  for (int64_t at = 0; at < 3; ++at) {
    if (op == Combiner::max)
      EXPECT_EQ(found.get(at).number, expected.get(at).number) << at;
    else
      EXPECT_NEAR(found.get(at).number, expected.get(at).number, 1e-4) << at;
  }
  return plan;
}

TEST(Lanes, ShortRowsThatAreReducedTogetherShareThem) {
  const auto around = [](Combiner op, int64_t rows) {
    const LoopPlan plan = of_rows(op, rows, 33);
    const LaneLoop* row = find_row(plan.loops);
    return row == nullptr ? size_t{99} : row->around.size();
  };
  EXPECT_EQ(around(Combiner::max, 1000), 2U);
  EXPECT_EQ(around(Combiner::sum, 6), 2U);
  EXPECT_EQ(around(Combiner::sum, 7), 1U) << "1155 points are more than a block";
}

// The tuple of an extreme key is looked for in lanes too; keys that are integers one after the
// other.
TEST(Lanes, KeyedRowsKeepTheirPayload) {
  for (const Type type : {Type::f32, Type::i32}) {
    GraphFixture g;
    const Operand x = g.input("x", {8, 100}, type), y = g.output("y", {8}, Type::i64);
    KernelBuilder kernel;
    const Index i = kernel.axis(8), j = kernel.reduce_axis(100);
    kernel.write(y, {i},
                 kernel.reduce_tuple(Combiner::last_min, {j}, {x.at({i, j}), Expr::index(j)})[1]);
    g.kernel("ArgMin", kernel);
    const LoopPlan schedule =
        best_plan(std::get<Kernel>(g.graph.steps[0]), g.graph.values, machine(32));
    const LaneLoop* row = find_row(schedule.loops);
    ASSERT_EQ(row != nullptr, type == Type::f32);
    if (row) {
      EXPECT_EQ(row->body.size(), 2u);
    }
  }
}

// y[i] = sum of x[i, j] * w[j] over j where `index` lies in 1 .. 5.
LoopPlan guarded(const std::function<Index(const Index& i, const Index& j)>& index) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 64}), w = g.input("w", {64}), y = g.output("y", {8});
  KernelBuilder kernel;
  const Index i = kernel.axis(8), j = kernel.reduce_axis(64);
  const Expr inside = Expr::cases({{{{index(i, j), 1, 5}}, x.at({i, j})}}, x.zero());
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {j}, inside * w.at({j})));
  g.kernel("Sum", kernel);
  return best_plan(std::get<Kernel>(g.graph.steps[0]), g.graph.values, machine(32));
}

TEST(Lanes, AGuardOfWholeRowsStaysAroundThem) {
  const LoopPlan rows = guarded([](const Index& i, const Index&) { return i; });
  const LaneLoop* row = find_row(rows.loops);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->when.size(), 1u);
  EXPECT_EQ(find_row(guarded([](const Index&, const Index& j) { return mod(j, 7); }).loops),
            nullptr);
}

// y[i] = sum of x[i, h, w]; a second reduction along w alone, where there is one.
LoopPlan plane(const std::function<Expr(const Operand& x, const Indices& at)>& value) {
  GraphFixture g;
  const Operand x = g.input("x", {8, 7, 9}), y = g.output("y", {8});
  KernelBuilder kernel;
  const Index i = kernel.axis(8), h = kernel.reduce_axis(7), w = kernel.reduce_axis(9);
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {h, w}, value(x, {i, h, w})));
  g.kernel("Sum", kernel);
  const LoopPlan schedule =
      best_plan(std::get<Kernel>(g.graph.steps[0]), g.graph.values, machine(32));
  KernelGraph scheduled = g.graph;
  scheduled.steps[0] = schedule.kernel;
  expect_same(g.graph, scheduled);
  return schedule;
}

TEST(MergeAxes, APlaneIsOneLongRow) {
  const LoopPlan schedule = plane([](const Operand& x, const Indices& at) { return x.at(at); });
  const LaneLoop* row = find_row(schedule.loops);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->end, Index(63));
  EXPECT_EQ(schedule.kernel.axes.size(), 2u);
}

TEST(MergeAxes, WhatNeedsTheRowsApartKeepsThem) {
  // Columns from the end; a weight that is the number of the column.
  const LoopPlan mirrored = plane([](const Operand& x, const Indices& at) {
    return x.at({at[0], at[1], Index(8) - at[2]});
  });
  EXPECT_EQ(mirrored.kernel.axes.size(), 3u);
  const LoopPlan weighted = plane([](const Operand& x, const Indices& at) {
    return x.at(at) * Expr::cast(Type::f32, Expr::index(at[2]));
  });
  EXPECT_EQ(weighted.kernel.axes.size(), 3u);
}

}  // namespace
}  // namespace burin::lanes_test
