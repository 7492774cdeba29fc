// State that a loop makes longer: what the planner keeps in place, what it must leave, what its
// checker finds, and that the rewritten graph computes the same.
#include "plan/append/append.h"

#include <gtest/gtest.h>

#include <functional>

#include "kernel/interpreter/interpreter.h"
#include "plans/support/graph_builder.h"

namespace burin::append_test {
namespace {

using test::GraphBuilder;

constexpr int64_t kTrips = 4, kColumns = 3;

// One iteration of a loop that carries state `s` of `size` rows, which it replaces by `size` + 1.
struct Body {
  GraphBuilder& b;
  ValueId x, s, t;  // what is added row by row; the state; what it becomes
  Dim iteration, size;
  std::vector<Index> at;  // of t

  Expr old(const Index& row) const { return b.load(s, {row, at[1]}); }
  Expr added() const { return b.load(x, {iteration, at[1]}); }
  // `below` the end of the state, else what is added.
  void append(const Expr& below) const {
    b.map(t, Expr::cases({{{{at[0], 0, size}}, below}}, added()));
  }
};

struct Case {
  KernelGraph graph;
  ValueId state, grown, copy;
};

// `iterate` writes body.t; `after` may add steps behind the loop.
Case loop_of(const std::function<void(const Body&)>& iterate,
             const std::function<void(GraphBuilder&, ValueId, const Dim&)>& after = {}) {
  GraphBuilder b;
  const Symbol size = test::run_symbol("size", 0, kTrips),
               next = test::run_symbol("next", 0, kTrips);
  const Dim rows = Index::symbol(size), more = Index::symbol(next);
  const ValueId x = b.input({kTrips, kColumns}), s = b.internal({rows, kColumns});
  const ValueId t = b.internal({rows + 1, kColumns}), n = b.internal({more, kColumns});
  b.step(Bind{size, Expr::constant(Type::i64, 0), {}});
  b.map(s, Expr::constant(Type::f32, 0));
  auto loop = std::make_shared<Loop>();
  loop->iteration = test::iteration("iteration", kTrips - 1);
  loop->trips = kTrips;
  loop->condition = Expr::boolean(true);
  b.into(loop->body, [&] {
    iterate({b, x, s, t, Index::symbol(loop->iteration), rows, GraphBuilder::axes(b.shape(t))});
    b.step(Bind{next, Expr::index(rows + 1), {}});
    b.map(n, b.load(t, GraphBuilder::axes(b.shape(n))));
    b.step(Bind{size, Expr::index(more), {}});
    Kernel back;
    back.axes = {{more, AxisKind::parallel, ""}, {kColumns, AxisKind::parallel, ""}};
    const std::vector<Index> at = GraphBuilder::axes(b.shape(n));
    back.writes.push_back({{0, 1}, s, at, b.load(n, at), {}, How::store});
    b.step(std::move(back));
  });
  b.step(Step(loop));
  const ValueId y = b.output({rows, kColumns});
  b.map(y, b.load(s, GraphBuilder::axes(b.shape(y))));
  if (after) after(b, s, rows);
  check_kernel_graph(b.graph);
  return {std::move(b.graph), s, t, n};
}

void append_plainly(const Body& body) { body.append(body.old(body.at[0])); }

AppendPlan plan_for(const Case& one, std::vector<Dim> room = {kTrips, kColumns},
                    int dimension = 0) {
  return {{{one.state, {one.grown, one.copy}, dimension, std::move(room)}}};
}

RunResult run(const KernelGraph& graph) {
  std::vector<int64_t> numbers;
  for (int64_t k = 0; k < kTrips * kColumns; ++k) numbers.push_back(k + 1);
  return interpret(graph, {make_tensor(Type::f32, {kTrips, kColumns}, numbers)}, {});
}

void expect_kept(const Case& one) {
  const AppendPlan plan = plan_appends(one.graph);
  EXPECT_EQ(plan, plan_for(one)) << to_string(plan);
  EXPECT_EQ(check_appends(one.graph, plan), "");
  const KernelGraph applied = apply_appends(one.graph, plan);
  check_kernel_graph(applied);
  const RunResult before = run(one.graph), after = run(applied);
  ASSERT_EQ(before.status, kRunOk) << before.message;
  ASSERT_EQ(after.status, kRunOk) << after.message;
  EXPECT_EQ(after.outputs, before.outputs);
}

// The planner leaves it, and of a plan that does not the checker says why.
void expect_left(const Case& one, const std::string& fault) {
  EXPECT_EQ(plan_appends(one.graph), AppendPlan());
  EXPECT_EQ(check_appends(one.graph, plan_for(one)),
            "v" + std::to_string(one.state) + ": " + fault);
}

TEST(Append, KeepsWhatGrows) { expect_kept(loop_of(append_plainly)); }

TEST(Append, WritesOfTheirOwn) {
  expect_kept(loop_of([](const Body& body) {
    Kernel old, added;
    old.axes = {{body.size, AxisKind::parallel, ""}, {kColumns, AxisKind::parallel, ""}};
    const std::vector<Index> at = GraphBuilder::axes({body.size, kColumns});
    old.writes.push_back({{0, 1}, body.t, at, body.b.load(body.s, at), {}, How::store});
    added.axes = {{kColumns, AxisKind::parallel, ""}};
    const Index column = Index::axis(0, kColumns);
    added.writes.push_back({{0},
                            body.t,
                            {body.size, column},
                            body.b.load(body.x, {body.iteration, column}),
                            {},
                            How::store});
    body.b.step(std::move(added));
    body.b.step(std::move(old));
  }));
}

// A size that is read out of the state, in the body and behind it, finds it where it was.
TEST(Append, ElementsAreLoadedForSizes) {
  const auto element = [](GraphBuilder& b, ValueId s, const Dim& row) {
    const Expr loaded = Expr::cast(Type::i64, b.load(s, {max(row - 1, 0), 0}));
    return Expr::cases({{{{row, 0, 1}}, Expr::constant(Type::i64, 0)}}, loaded);
  };
  const Symbol inside = test::run_symbol("inside", 0, 100),
               behind = test::run_symbol("behind", 0, 100);
  expect_kept(loop_of(
      [&](const Body& body) {
        body.b.step(Bind{inside, element(body.b, body.s, body.size), {}});
        append_plainly(body);
      },
      [&](GraphBuilder& b, ValueId s, const Dim& rows) {
        b.step(Bind{behind, element(b, s, rows), {}});
        const ValueId count = b.output({1}, Type::i64);
        b.map(count, Expr::index(Index::symbol(behind)));
      }));
}

TEST(Append, WhatIsOldIsChanged) {
  expect_left(
      loop_of([](const Body& body) { body.append(body.old(body.at[0]) + body.old(body.at[0])); }),
      "something else than the old state lies below its end");
}

TEST(Append, WhatIsOldMovesUp) {
  expect_left(loop_of([](const Body& body) {
                body.b.map(body.t, Expr::cases({{{{body.at[0], 0, 1}}, body.added()}},
                                               body.old(body.at[0] - 1)));
              }),
              "something else than the old state lies below its end");
}

TEST(Append, SomethingIsLeftOut) {
  expect_left(loop_of([](const Body& body) {
                Kernel added;
                added.axes = {{kColumns, AxisKind::parallel, ""}};
                const Index column = Index::axis(0, kColumns);
                added.writes.push_back({{0},
                                        body.t,
                                        {body.size, column},
                                        body.b.load(body.x, {body.iteration, column}),
                                        {},
                                        How::store});
                body.b.step(std::move(added));
              }),
              "something of the old state is left out");
}

TEST(Append, TheStateIsWrittenElsewhere) {
  expect_left(loop_of([](const Body& body) {
                append_plainly(body);
                body.b.set_row(body.s, 0, body.x);
              }),
              "the state is written by more than its copy");
}

TEST(Append, AProcedureTakesTheState) {
  expect_left(loop_of(append_plainly,
                      [](GraphBuilder& b, ValueId s, const Dim&) {
                        const ValueId y = b.internal({kColumns});
                        Procedure procedure;
                        procedure.name = "p";
                        procedure.function = "top_k";
                        procedure.element = Type::f32;
                        procedure.reads = {s};
                        procedure.writes = {y};
                        b.step(std::move(procedure));
                      }),
              "a procedure takes the state, whose room is not its size");
}

TEST(Append, FaultyPlansAreFound) {
  const Case one = loop_of(append_plainly);
  const std::string state = "v" + std::to_string(one.state) + ": ";
  const Symbol open = test::run_symbol("open", 0, kUnbounded);
  EXPECT_EQ(check_appends(one.graph, plan_for(one)), "");
  EXPECT_EQ(check_appends(one.graph, plan_for(one, {Index::symbol(open), kColumns})),
            state + "room for open");
  EXPECT_EQ(check_appends(one.graph, {{{one.state, {one.state + 100}, 0, {kTrips, kColumns}}}}),
            state + "no loop makes v" + std::to_string(one.state + 100));
}

}  // namespace
}  // namespace burin::append_test
