#include "plan/memory_plan.h"

#include <gtest/gtest.h>

#include "plan/check_memory.h"
#include "plans/support/graph_builder.h"
#include "plans/support/token_run.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using test::GraphBuilder;

MemoryOptions options_of(int64_t alignment = 16) {
  MemoryOptions options;
  options.alignment = alignment;
  return options;
}

int64_t hinted(const Symbol& symbol) { return at_hints(Index::symbol(symbol)); }

// Plans, has the plan checked, and runs it against separate memory.
MemoryPlan planned(const KernelGraph& graph, const MemoryOptions& options = options_of(),
                   const std::vector<ScratchNeed>& scratch = {}) {
  MemoryPlan plan = plan_memory(graph, scratch, options);
  EXPECT_EQ(check_memory_plan(graph, scratch, options, plan), std::vector<std::string>())
      << to_string(graph) << to_string(plan);
  for (const uint64_t branch : {uint64_t{0}, uint64_t{0x5555}, ~uint64_t{0}}) {
    const test::TokenRun run{hinted, 3, branch};
    EXPECT_EQ(test::run_on_tokens(graph, nullptr, run), test::run_on_tokens(graph, &plan, run))
        << to_string(graph) << to_string(plan);
  }
  return plan;
}

TEST(MemoryPlan, ChainOfTransposesUsesTwoBuffers) {
  GraphBuilder b;
  ValueId last = b.input({8, 8});
  for (int i = 0; i < 6; ++i) {
    const ValueId next = b.internal({8, 8});
    b.transpose(next, last);
    last = next;
  }
  b.unary(b.output({8, 8}), last);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.arena_bytes, Dim(2 * 256));
  EXPECT_EQ(plan.lower_bound, Dim(2 * 256));
  EXPECT_EQ(plan.naive_bytes, Dim(6 * 256));
  EXPECT_TRUE(plan.optimal);
  EXPECT_EQ(plan.arena_bound, 512);
}

TEST(MemoryPlan, ResultLiesOverAnOperandThatEnds) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8});
  const ValueId r = b.internal({8, 8});
  b.transpose(p, x);
  b.unary(q, p);
  b.binary(r, q, q);
  b.transpose(b.output({8, 8}), r);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.arena_bytes, Dim(256));
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].sharing, Sharing::in_place);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].base, p);
  EXPECT_EQ(plan.values[static_cast<size_t>(r)].base, q);
  MemoryOptions apart = options_of();
  apart.keep_apart = {1};
  EXPECT_EQ(planned(b.graph, apart).arena_bytes, Dim(512));
  apart.share = false;
  EXPECT_EQ(planned(b.graph, apart).arena_bytes, Dim(512));
}

TEST(MemoryPlan, NotInPlaceWhereAPointReadsOthers) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8});
  b.transpose(p, x);
  b.normalise_rows(q, p);
  b.transpose(b.output({8, 8}), q);
  EXPECT_EQ(planned(b.graph).arena_bytes, Dim(512));
}

TEST(MemoryPlan, NotInPlaceWhereTheOperandIsNeededLater) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8});
  b.transpose(p, x);
  b.unary(q, p);
  b.binary(b.output({8, 8}), p, q);
  EXPECT_EQ(planned(b.graph).arena_bytes, Dim(512));
}

TEST(MemoryPlan, NotInPlaceForAnotherElementSize) {
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId p = b.internal({8, 8});
  const ValueId q = b.internal({8, 8}, Type::i8);
  b.transpose(p, x);
  b.map(q, Expr::cast(Type::i8, b.load(p, GraphBuilder::axes({8, 8})), CastMode::saturate));
  b.map(b.output({8, 8}), Expr::cast(Type::f32, b.load(q, GraphBuilder::axes({8, 8}))));
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].sharing, Sharing::own);
  EXPECT_EQ(plan.arena_bytes, Dim(256 + 64));
}

TEST(MemoryPlan, ReshapeIsAView) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({16, 2});
  b.unary(p, x);
  b.copy(q, p);
  b.transpose(b.output({2, 16}), q);
  b.transpose(b.output({8, 4}), p);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.arena_bytes, Dim(128));
  EXPECT_EQ(plan.dropped, std::vector<int>{1});
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].sharing, Sharing::view);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].base, p);
}

TEST(MemoryPlan, ReshapeOfAnInputIsAViewOfTheInput) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId q = b.internal({2, 8});
  b.slice(q, x, 1);
  b.transpose(b.output({8, 2}), q);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.arena_bytes, Dim(0));
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].root, x);
  EXPECT_EQ(plan.values[static_cast<size_t>(q)].offset, Dim(32));
}

TEST(MemoryPlan, SplitByRowsIsTwoViews) {
  GraphBuilder b;
  const ValueId x = b.input({6, 8});
  const ValueId p = b.internal({6, 8});
  const ValueId top = b.internal({2, 8});
  const ValueId bottom = b.internal({4, 8});
  b.unary(p, x);
  b.split({top, bottom}, p);
  b.transpose(b.output({8, 2}), top);
  b.transpose(b.output({8, 4}), bottom);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.arena_bytes, Dim(192));
  EXPECT_EQ(
      plan.values[static_cast<size_t>(bottom)].offset - plan.values[static_cast<size_t>(p)].offset,
      Dim(64));
  EXPECT_EQ(plan.dropped, std::vector<int>{1});
}

TEST(MemoryPlan, AViewThatIsWrittenWhileItsBaseIsNeededIsACopy) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId row = b.input({1, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({4, 8});
  b.unary(p, x);
  b.copy(q, p);
  b.add_row(q, 2, row);
  b.binary(b.output({4, 8}), p, q);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_TRUE(plan.dropped.empty());
  EXPECT_EQ(plan.arena_bytes, Dim(256));
}

TEST(MemoryPlan, ACopyThatIsThenUpdatedNeedsNoCopyWhenItsBaseEnds) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId row = b.input({1, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({4, 8});
  b.unary(p, x);
  b.copy(q, p);
  b.add_row(q, 2, row);
  b.transpose(b.output({8, 4}), q);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.dropped, std::vector<int>{1});
  EXPECT_EQ(plan.arena_bytes, Dim(128));
}

TEST(MemoryPlan, ConcatenationIsFilledInPlace) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({8, 4});
  const ValueId r = b.internal({4, 8});
  const ValueId all = b.internal({12, 8});
  b.transpose(q, x);
  b.unary(p, x);
  b.transpose(r, q);
  b.concat(all, {p, r, p == r ? q : b.internal({4, 8})});
  // The third part: made before, so that all of them end in the concatenation.
  const ValueId third = static_cast<ValueId>(b.graph.values.size()) - 1;
  auto& steps = b.graph.steps;
  const Step concat = steps.back();
  steps.pop_back();
  b.unary(third, x);
  steps.push_back(concat);
  b.transpose(b.output({8, 12}), all);
  b.transpose(b.output({8, 4}), r);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.dropped, std::vector<int>{4});
  const auto placed = [&](ValueId id) { return plan.values[static_cast<size_t>(id)]; };
  EXPECT_EQ(placed(p).offset - placed(all).offset, Dim(0));
  EXPECT_EQ(placed(r).offset - placed(all).offset, Dim(128));
  EXPECT_EQ(placed(third).offset - placed(all).offset, Dim(256));
  EXPECT_EQ(placed(r).sharing, Sharing::part);
  EXPECT_EQ(placed(all).sharing, Sharing::own);
}

// One part is made in place, the other one is needed elsewhere and copied by a step of its own.
TEST(MemoryPlan, APartThatIsCopiedAloneNeedsNoCopy) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId all = b.internal({8, 8});
  const auto into_rows = [&](int64_t first) {
    Write& write = std::get<Kernel>(b.graph.steps.back()).writes[0];
    write.to = all;
    write.at[0] += first;
  };
  b.unary(p, x);
  b.transpose(b.output({8, 4}), p);
  b.unary(b.internal({4, 8}), x);
  into_rows(4);
  b.unary(b.internal({4, 8}), p);
  std::get<Kernel>(b.graph.steps.back()).writes[0].value =
      b.load(p, std::get<Kernel>(b.graph.steps.back()).writes[0].at);
  into_rows(0);
  b.transpose(b.output({8, 8}), all);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.dropped, std::vector<int>{3});
  EXPECT_EQ(plan.values[static_cast<size_t>(p)].offset,
            plan.values[static_cast<size_t>(all)].offset);
  // A step that writes over the part is found by the checker.
  std::get<Kernel>(b.graph.steps[2]).writes[0].at[0] -= 1;
  EXPECT_FALSE(check_memory_plan(b.graph, {}, options_of(), plan).empty());
}

TEST(MemoryPlan, OneTensorTwiceInAConcatenationIsCopied) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId all = b.internal({8, 8});
  b.unary(p, x);
  b.concat(all, {p, p});
  b.transpose(b.output({8, 8}), all);
  EXPECT_TRUE(planned(b.graph).dropped.empty());
}

TEST(MemoryPlan, ConcatenationThatRaisesThePeakIsCopied) {
  // The wide steps come while only one of the parts exists.
  GraphBuilder b;
  const ValueId x = b.input({8, 8});
  const ValueId part = b.internal({8, 8});
  const ValueId wide = b.internal({8, 32});
  const ValueId other = b.internal({8, 8});
  const ValueId all = b.internal({16, 8});
  b.transpose(part, x);
  const std::vector<Index> at = GraphBuilder::axes({8, 32});
  b.map(wide, b.load(x, {at[0], mod(at[1], 8)}));
  const ValueId turned = b.internal({32, 8});
  b.transpose(turned, wide);
  const std::vector<Index> narrow = GraphBuilder::axes({8, 8});
  b.map(other, b.load(turned, {narrow[0] * 4, narrow[1]}));
  b.concat(all, {part, other});
  b.transpose(b.output({8, 16}), all);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_TRUE(plan.dropped.empty());
  EXPECT_EQ(plan.arena_bytes, Dim(256 + 2 * 1024));
}

TEST(MemoryPlan, ValuesFromOutsideLiveThroughALoop) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId outside = b.internal({4, 4});
  const ValueId state = b.internal({4, 4});
  b.transpose(outside, x);
  b.unary(state, x);
  auto loop = std::make_shared<Loop>();
  loop->iteration = test::iteration("i", 9);
  loop->trips = 10;
  loop->condition = Expr::boolean(true);
  const ValueId t = b.internal({4, 4});
  const ValueId u = b.internal({4, 4});
  b.into(loop->body, [&] {
    b.binary(t, state, outside);
    b.transpose(u, t);
    b.copy(state, u);
  });
  b.step(loop);
  b.transpose(b.output({4, 4}), state);
  const MemoryPlan plan = planned(b.graph);
  using Live = std::vector<Interval>;
  EXPECT_EQ(plan.values[static_cast<size_t>(outside)].live, (Live{{0, 5}}));
  EXPECT_EQ(plan.values[static_cast<size_t>(state)].live, (Live{{1, 3}, {5, 6}}));
  EXPECT_EQ(plan.values[static_cast<size_t>(t)].live, (Live{{3, 4}}));
  // The next state is made where the state lies: the copy is not needed.
  EXPECT_EQ(plan.dropped, std::vector<int>{5});
  EXPECT_EQ(plan.arena_bytes, Dim(3 * 64));
}

TEST(MemoryPlan, RowsThatIterationsCollectStay) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId rows = b.internal({5, 4});
  auto loop = std::make_shared<Loop>();
  loop->iteration = test::iteration("i", 4);
  loop->trips = 5;
  loop->condition = Expr::boolean(true);
  const ValueId t = b.internal({4, 4});
  const ValueId u = b.internal({4, 4});
  b.into(loop->body, [&] {
    b.transpose(t, x);
    b.transpose(u, t);
    b.set_row(rows, Index::symbol(loop->iteration), u);
  });
  b.step(loop);
  const ValueId y = b.output({3, 4});
  b.slice(y, rows, 0);
  const MemoryPlan plan = planned(b.graph);
  EXPECT_EQ(plan.values[static_cast<size_t>(rows)].live, (std::vector<Interval>{{0, 4}}));
}

TEST(MemoryPlan, BranchesShareMemory) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId p = b.internal({4, 4});
  const ValueId y = b.internal({4, 4});
  b.transpose(p, x);
  auto branch = std::make_shared<If>();
  branch->condition = compare(Binary::gt, b.load(x, {0, 0}), Expr::constant(Type::f32, 0.0));
  const ValueId t = b.internal({4, 4});
  const ValueId u = b.internal({4, 4});
  b.into(branch->then_steps, [&] {
    b.transpose(t, p);
    b.transpose(y, t);
  });
  b.into(branch->else_steps, [&] {
    b.transpose(u, x);
    b.transpose(y, u);
  });
  b.step(branch);
  b.transpose(b.output({4, 4}), y);
  const MemoryPlan plan = planned(b.graph);
  using Live = std::vector<Interval>;
  EXPECT_EQ(plan.values[static_cast<size_t>(p)].live, (Live{{0, 2}}));
  EXPECT_EQ(plan.values[static_cast<size_t>(y)].live, (Live{{3, 3}, {5, 6}}));
  EXPECT_EQ(plan.arena_bytes, Dim(2 * 64));
}

TEST(MemoryPlan, ScratchIsForItsStepAndForEveryWorker) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const ValueId p = b.internal({4, 4});
  b.transpose(p, x);
  b.transpose(b.output({4, 4}), p);
  const MemoryPlan plan = planned(b.graph, options_of(64), {{0, 100, 4}, {1, 10}});
  ASSERT_EQ(plan.scratch.size(), 2u);
  EXPECT_EQ(plan.scratch[0].stride, Dim(128));
  EXPECT_EQ(plan.arena_bytes, Dim(4 * 128 + 64));
  EXPECT_EQ(plan.naive_bytes, Dim(4 * 128 + 64 + 64));
}

TEST(MemoryPlan, SymbolicSizesGiveExpressions) {
  GraphBuilder b;
  const Dim n = Index::symbol(test::param("N", 1, 100, 32));
  const ValueId x = b.input({n, 16});
  ValueId last = x;
  std::vector<ValueId> all;
  for (int i = 0; i < 4; ++i) {
    const std::vector<Dim> shape = i % 2 == 0 ? std::vector<Dim>{16, n} : std::vector<Dim>{n, 16};
    const ValueId next = b.internal(shape);
    b.transpose(next, last);
    last = next;
    all.push_back(next);
  }
  b.copy(b.output({n, 16}), last);
  const MemoryPlan plan = planned(b.graph, options_of(64));
  EXPECT_EQ(plan.arena_bytes, n * 128);
  EXPECT_EQ(plan.lower_bound, n * 128);
  EXPECT_EQ(plan.arena_bound, 12800);
  EXPECT_TRUE(plan.named.empty());
  MemoryOptions fixed = options_of(64);
  fixed.fixed_offsets = true;
  EXPECT_EQ(planned(b.graph, fixed).arena_bytes, Dim(12800));
}

// Layers of a transformer: what is largest, scores or activations, depends on N.
KernelGraph transformer(const Dim& n, int layers) {
  GraphBuilder b;
  // A stand-in for a matrix product: every point reads elsewhere.
  const auto product_of = [&](ValueId to, ValueId x, ValueId y) {
    const std::vector<Index> at = GraphBuilder::axes(b.shape(to));
    const auto elsewhere = [&](ValueId id) {
      return b.load(id, {mod(at[0] * 7, b.shape(id)[0]), mod(at[1] * 5, b.shape(id)[1])});
    };
    b.map(to, elsewhere(x) + elsewhere(y));
  };
  const ValueId x = b.input({n, 768});
  ValueId hidden = b.internal({n, 768});
  product_of(hidden, x, x);
  for (int i = 0; i < layers; ++i) {
    const auto matrix = [&](const Dim& rows, const Dim& columns) {
      return b.internal({rows, columns});
    };
    const ValueId normal = matrix(n, 768), q = matrix(n, 768), k = matrix(n, 768);
    const ValueId v = matrix(n, 768), scores = matrix(n * 12, n), weights = matrix(n * 12, n);
    const ValueId context = matrix(n, 768), wide = matrix(n, 3072), active = matrix(n, 3072);
    const ValueId narrow = matrix(n, 768), next = matrix(n, 768);
    b.normalise_rows(normal, hidden);
    product_of(q, normal, normal);
    product_of(k, normal, normal);
    product_of(v, normal, normal);
    product_of(scores, q, k);
    b.normalise_rows(weights, scores);
    product_of(context, weights, v);
    product_of(wide, context, context);
    b.unary(active, wide);
    product_of(narrow, active, active);
    b.binary(next, hidden, narrow);
    hidden = next;
  }
  b.unary(b.output({n, 768}), hidden);
  return b.graph;
}

TEST(MemoryPlan, ExpressionsReachTheLowerBoundAtEverySize) {
  const Dim n = Index::symbol(test::param("N", 1, 512, 128));
  const KernelGraph graph = transformer(n, 3);
  const MemoryOptions options = options_of(64);
  const MemoryPlan plan = plan_memory(graph, {}, options);
  EXPECT_EQ(check_memory_plan(graph, {}, options, plan), std::vector<std::string>());
  EXPECT_TRUE(plan.optimal);
  for (int64_t size = 1; size <= 512; size += 7) {
    const auto sizes = [size](const Symbol&) { return size; };
    EXPECT_EQ(evaluate(plan, plan.arena_bytes, sizes), evaluate(plan, plan.lower_bound, sizes))
        << size;
  }
  // The bound for all sizes is reached at the largest.
  EXPECT_EQ(plan.arena_bound,
            evaluate(plan, plan.arena_bytes, [](const Symbol&) { return int64_t{512}; }));
}

TEST(MemoryPlan, CheckerFindsOffsetsThatHoldAtTheHintsOnly) {
  const Symbol symbol = test::param("N", 1, 512, 128);
  const Dim n = Index::symbol(symbol);
  const KernelGraph graph = transformer(n, 2);
  const MemoryOptions options = options_of(64);
  const MemoryPlan plan = plan_memory(graph, {}, options);
  int found = 0;
  int tried = 0;
  for (size_t v = 0; v < plan.values.size(); ++v) {
    const Dim& offset = plan.values[v].offset;
    if (plan.values[v].sharing == Sharing::none || offset.is_constant()) continue;
    // The same at the hints, and wrong where it should be more.
    MemoryPlan wrong = plan;
    wrong.values[v].offset = Dim(evaluate(plan, offset, hinted));
    wrong.arena_bytes = plan.arena_bytes + wrong.values[v].offset + plan.values[v].bytes;
    wrong.arena_bound.reset();
    ++tried;
    found += !check_memory_plan(graph, {}, options, wrong).empty();
  }
  EXPECT_GT(tried, 10);
  EXPECT_EQ(found, tried);
}

TEST(MemoryPlan, MemoryIsTakenForTheBoundOfARunSymbol) {
  GraphBuilder b;
  const Symbol rows = test::run_symbol("rows", 0, 20);
  const ValueId x = b.input({20, 4});
  const ValueId p = b.internal({Index::symbol(rows), 4});
  b.slice(p, x, 0);
  const ValueId q = b.internal({4, Index::symbol(rows)});
  b.transpose(q, p);
  b.transpose(b.output({Index::symbol(rows), 4}), q);
  const MemoryPlan plan = plan_memory(b.graph, {}, options_of());
  EXPECT_EQ(plan.arena_bytes, Dim(320));
  EXPECT_EQ(check_memory_plan(b.graph, {}, options_of(), plan), std::vector<std::string>());

  GraphBuilder open;
  const Symbol many = test::run_symbol("many", 0, kUnbounded);
  const ValueId y = open.input({4, 4});
  const ValueId r = open.internal({Index::symbol(many), 4});
  open.slice(r, y, 0);
  open.unary(open.output({Index::symbol(many), 4}), r);
  try {
    plan_memory(open.graph, {}, options_of());
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.diagnostics.front().rule, "unbounded-size");
  }
}

TEST(MemoryPlan, TextNamesEveryDecision) {
  GraphBuilder b;
  const ValueId x = b.input({4, 8});
  const ValueId p = b.internal({4, 8});
  const ValueId q = b.internal({16, 2});
  b.unary(p, x);
  b.copy(q, p);
  b.transpose(b.output({2, 16}), q);
  const MemoryPlan plan = plan_memory(b.graph, {}, options_of());
  EXPECT_EQ(
      to_string(plan),
      "arena 128 bytes, lower bound 128, without reuse 256, optimal; alignment 16; best fit by "
      "size\n"
      "v1: 128 bytes at 0, live 0..1\n"
      "v2: 128 bytes at 0, live 1..2, view of v1\n"
      "dropped 1\n");
  EXPECT_EQ(
      memory_map(plan, b.graph),
      "arena 128 bytes, lower bound 128, without reuse 256, optimal; alignment 16; best fit by "
      "size\n"
      "offset  bytes  steps  value  shares\n"
      "0       128    0..1   't1'\n"
      "0       128    1..2   't2'   view of 't1'\n");
  EXPECT_EQ(plan, plan_memory(b.graph, {}, options_of()));
}

}  // namespace
}  // namespace burin
