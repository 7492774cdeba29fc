// Scores of positions become part of attention, with the same numbers, and a block of queries
// computes the rows that it reads; what rows of the keys would have to be made for every query
// stays a kernel of its own.
#include "fuse/attention/positions.h"

#include <algorithm>
#include <functional>

#include "fuse/attention/attention_form.h"
#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "select/products/attention_schedule.h"
#include "small_hardware.h"

namespace burin::positions_test {
namespace {

constexpr int64_t kHeads = 2, kQueries = 23, kKeys = 19, kDepth = 8, kElements = 3;

struct Table {
  int64_t rows = 0;
  std::function<Index(const Index& i, const Index& j)> read;
  bool by_query = false;  // its rows are others for every query
  int64_t depth = kDepth;
};

// Attention as an exporter has it, with a table's product and what is read of it added to the
// scores for each table.
KernelGraph attention(const std::vector<Table>& tables, bool someone_else_reads = false) {
  GraphFixture g;
  const Operand q = g.input("q", {kHeads, kQueries, kDepth}),
                k = g.input("k", {kHeads, kKeys, kDepth}),
                v = g.input("v", {kHeads, kKeys, kElements});
  const auto product = [&](const std::string& name, const Operand& a, const Operand& b,
                           int64_t rows, int64_t depth, bool by_query) {
    const Operand y = g.value(name, {kHeads, kQueries, rows});
    KernelBuilder kernel;
    const Indices at = kernel.axes(y.shape());
    const Index d = kernel.reduce_axis(depth);
    Indices of_b{at[0], at[2], d};
    if (by_query) of_b.insert(of_b.begin(), at[1]);
    kernel.write(y, at, kernel.reduce(Combiner::sum, {d}, a.at({at[0], at[1], d}) * b.at(of_b)));
    g.kernel(name, kernel);
    return y;
  };
  Operand scores = product("scores", q, k, kKeys, kDepth, false);
  for (size_t t = 0; t < tables.size(); ++t) {
    const Table& table = tables[t];
    const std::string name = "p" + std::to_string(t);
    std::vector<Dim> shape{kHeads, table.rows, table.depth};
    if (table.by_query) shape.insert(shape.begin(), kQueries);
    const Operand p = g.input(name, shape),
                  w = g.input("w" + name, {kHeads, kQueries, table.depth});
    const Operand all = product("of_" + name, w, p, table.rows, table.depth, table.by_query);
    const Operand sum = g.value("with_" + name, scores.shape());
    g.map("Add", sum, [&](const Indices& at) {
      return scores.at(at) + all.at({at[0], at[1], table.read(at[1], at[2])});
    });
    scores = sum;
    if (someone_else_reads) {
      const Operand more = g.output("more", all.shape());
      g.map("Again", more, [&](const Indices& at) { return all.at(at) + 1.0; });
    }
  }
  const Operand weights = g.value("weights", scores.shape());
  KernelBuilder softmax;
  const Indices at = softmax.axes(scores.shape());
  const Expr most = softmax.reduce(Combiner::max, {at[2]}, scores.at(at));
  const Expr power = Expr::unary(Unary::exp, scores.at(at) - most);
  softmax.write(weights, at, power / softmax.reduce(Combiner::sum, {at[2]}, power));
  g.kernel("Softmax", softmax);
  const Operand y = g.output("y", {kHeads, kQueries, kElements});
  KernelBuilder sum;
  const Indices to = sum.axes(y.shape());
  const Index j = sum.reduce_axis(kKeys);
  sum.write(
      y, to,
      sum.reduce(Combiner::sum, {j}, weights.at({to[0], to[1], j}) * v.at({to[0], j, to[2]})));
  g.kernel("MatMul", sum);
  return g.graph;
}

Table distances() {
  return {kQueries + kKeys - 1,
          [](const Index& i, const Index& j) { return j - i + (kQueries - 1); }};
}
Table clipped() {
  return {9, [](const Index& i, const Index& j) { return max(0, min(j - i + 4, 8)); }};
}
Table lines() {
  return {4, [](const Index&, const Index& j) { return floordiv(j, 5); }};
}

Hardware small_machine() {
  Hardware hardware = small_hardware({{128, 4, 64, 1}});  // a few keys at a time
  return hardware;
}

// What becomes of the tables: one kernel, computed in blocks, with these rows at most for a block.
void expect_one_kernel(const std::vector<Table>& tables, const std::vector<bool>& whole) {
  const KernelGraph graph = attention(tables);
  const KernelGraph fused = fuse(graph, {});
  ASSERT_EQ(count_kernels(fused), 1) << to_string(fused);
  const auto form = find_attention(std::get<Kernel>(fused.steps[0]), fused.values);
  ASSERT_TRUE(form.has_value());
  ASSERT_EQ(form->positions.size(), tables.size());
  EXPECT_EQ(form->queries.size(), 1u);
  EXPECT_EQ(form->batch.size(), 1u);
  expect_same(graph, fused);
  const LoopPlans selection = choose_loops(fused, small_machine());
  const LoopPlan& schedule = selection.plans.at(StepId{0});
  ASSERT_TRUE(schedule.attention.has_value());
  const AttentionSchedule& attention = *schedule.attention;
  for (size_t t = 0; t < tables.size(); ++t) {
    const PositionTable& table = *std::find_if(
        attention.positions.begin(), attention.positions.end(),
        [&](const PositionTable& one) { return one.rows.is_constant(tables[t].rows); });
    EXPECT_EQ(table.tile.columns(), attention.columns());
    const int64_t rows =
        (table.rows.constant() + table.tile.rows - 1) / table.tile.rows * table.tile.rows;
    EXPECT_EQ(table.window.constant() == rows, whole[t]) << to_string(table.window);
    // Every row that a block reads is among those that it computes.
    const int columns = attention.columns();
    for (int64_t block = 0; block < kQueries; block += columns) {
      const auto at = [&](const Index& index, int64_t i, int64_t j) {
        return index.evaluate(
            [&](const Index& leaf) { return leaf.axis_id() == attention.query ? i : j; });
      };
      const int64_t first = at(table.first, block, 0), end = at(table.end, block, 0);
      EXPECT_EQ(first % table.tile.rows, 0);
      EXPECT_LE(end - first, table.window.constant());
      for (int64_t i = block; i < std::min(block + columns, kQueries); ++i) {
        for (int64_t j = 0; j < kKeys; ++j) {
          EXPECT_GE(at(table.read, i, j), first);
          EXPECT_LT(at(table.read, i, j), end);
        }
      }
    }
  }
  // Regrouped axes mean the same.
  expect_same(fused, selection.graph);
}

TEST(Positions, DistancesBecomePartOfAttention) { expect_one_kernel({distances()}, {false}); }
TEST(Positions, ClippedDistancesToo) { expect_one_kernel({clipped()}, {true}); }
TEST(Positions, TheirDepthMayBeAnother) {
  Table table = distances();
  table.depth = 5;
  expect_one_kernel({table}, {false});
}

// How many kernels are left: the product of the table is one.
int64_t kernels_with(const Table& table, bool someone_else_reads = false) {
  const KernelGraph graph = attention({table}, someone_else_reads);
  const KernelGraph fused = fuse(graph, {});
  expect_same(graph, fused);
  return count_kernels(fused);
}

// The loop over keys would divide.
TEST(Positions, LinesStayApart) { EXPECT_EQ(kernels_with(lines()), 2); }
TEST(Positions, RowsOfOneQueryStayApart) {
  Table table = distances();
  table.by_query = true;
  EXPECT_EQ(kernels_with(table), 2);
}
TEST(Positions, ScoresThatSomeoneElseReadsStayATensor) {
  EXPECT_EQ(kernels_with(distances(), true), 3);
}
TEST(Positions, StayApartWhereTheRewriteIsOff) {
  FuseOptions off;
  off.attention = false;
  const KernelGraph graph = attention({distances()});
  const KernelGraph fused = fuse(graph, off);
  EXPECT_GE(count_kernels(fused), 3);
  expect_same(graph, fused);
}

}  // namespace
}  // namespace burin::positions_test
