#include "plan/order/order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/order/order_search.h"
#include "plans/support/all_orders.h"
#include "plans/support/random_graph.h"
#include "plans/support/token_run.h"

namespace burin::order_test {
namespace {

using test::given_order;
using test::GraphBuilder;
using test::least_peaks;
using test::Numbers;
using test::respects;

OrderProblem random_problem(Numbers& numbers, int nodes) {
  OrderProblem problem;
  problem.nodes = nodes;
  problem.extra.resize(1);
  problem.sizes.resize(1);
  problem.after.resize(static_cast<size_t>(nodes));
  problem.touches.resize(static_cast<size_t>(nodes));
  for (int node = 0; node < nodes; ++node) {
    const auto here = static_cast<size_t>(node);
    problem.extra[0].push_back(numbers.one_in(4) ? numbers.between(0, 9) : 0);
    problem.sizes[0].push_back(numbers.between(1, 20));
    problem.bytes.emplace_back(problem.sizes[0].back());
    problem.classes.push_back(PartClass::constant);
    problem.cuts.push_back(numbers.one_in(8));
    problem.touches[here].push_back(node);  // its result has its number
    for (int64_t k = numbers.between(0, 2); k > 0 && node > 0; --k) {
      const int from = static_cast<int>(numbers.between(std::max(0, node - 4), node - 1));
      problem.after[here].push_back(from);
      problem.touches[here].push_back(from);
    }
    for (std::vector<int>* list : {&problem.after[here], &problem.touches[here]}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }
  return problem;
}

TEST(OrderSearch, EqualsBruteForce) {
  Numbers numbers(1);
  int better = 0;
  for (int i = 0; i < 400; ++i) {
    const OrderProblem problem = random_problem(numbers, static_cast<int>(numbers.between(1, 8)));
    const int64_t given = peak_of(problem, given_order(problem));
    const int64_t least = least_peaks(problem)[0];
    const OrderSolution solution = search_order(problem, {.state_budget = 100000});
    ASSERT_TRUE(respects(problem, solution.order));
    ASSERT_EQ(solution.peaks[0], peak_of(problem, solution.order));
    ASSERT_EQ(solution.peaks[0], least) << i;
    EXPECT_TRUE(solution.optimal);
    better += least < given;
  }
  EXPECT_GT(better, 40);
}

TEST(OrderSearch, BeamIsNeverWorseThanTheGivenOrder) {
  Numbers numbers(2);
  for (int i = 0; i < 20; ++i) {
    const OrderProblem problem = random_problem(numbers, 120);
    const OrderSolution solution = search_order(problem, {.state_budget = 500});
    ASSERT_TRUE(respects(problem, solution.order));
    EXPECT_LE(solution.peaks[0], peak_of(problem, given_order(problem)));
  }
}

TEST(Order, RunsTheBranchThatShrinksFirst) {
  // Two wide branches, each ending small, given side by side.
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const auto widen = [&](ValueId to) {
    const std::vector<Index> at = GraphBuilder::axes(b.shape(to));
    b.map(to, b.load(x, {mod(at[0], 4), mod(at[1], 4)}));
  };
  const auto shrink = [&](ValueId to, ValueId from) {
    const std::vector<Index> at = GraphBuilder::axes(b.shape(to));
    b.map(to, b.load(from, {at[0] * 2, at[1] * 3}));
  };
  const ValueId wide_a = b.internal({32, 32});
  const ValueId wide_b = b.internal({32, 32});
  const ValueId small_a = b.internal({4, 4});
  const ValueId small_b = b.internal({4, 4});
  widen(wide_a);
  widen(wide_b);
  shrink(small_a, wide_a);
  shrink(small_b, wide_b);
  b.binary(b.output({4, 4}), small_a, small_b);
  const OrderPlan plan = plan_order(b.numbered());
  EXPECT_EQ(check_order(b.numbered(), plan), "");
  EXPECT_EQ(plan.given_peak, 2 * 4096 + 64);
  EXPECT_EQ(plan.peak, 4096 + 2 * 64);
  EXPECT_TRUE(plan.optimal);
  EXPECT_EQ(to_string(plan.order), "0 2 1 3 4");
  EXPECT_EQ(to_string(plan),
            "peak 4224 bytes, in the given order 8256, optimal\norder: 0 2 1 3 4\nlist 0, steps 0 "
            "to 4: constant, exhaustive\n");
}

// Two branches, each wide inside and small at its end; which is wider depends on the size.
KernelGraph two_branches(const Dim& n) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  const auto widen = [&](ValueId to) {
    const std::vector<Index> at = GraphBuilder::axes(b.shape(to));
    b.map(to, b.load(x, {mod(at[0], 4), mod(at[1], 4)}));
  };
  const auto shrink = [&](ValueId to, ValueId from) {
    const std::vector<Index> at = GraphBuilder::axes(b.shape(to));
    b.map(to, b.load(from, {mod(at[0], b.shape(from)[0]), mod(at[1], b.shape(from)[1])}));
  };
  const ValueId wide_a = b.internal({32, 32});
  const ValueId wide_b = b.internal({n, n});
  const ValueId small_a = b.internal({4, n});
  const ValueId small_b = b.internal({4, 4});
  widen(wide_a);
  widen(wide_b);
  shrink(small_a, wide_a);
  shrink(small_b, wide_b);
  const ValueId y = b.output({4, 4});
  const std::vector<Index> at = GraphBuilder::axes(b.shape(y));
  b.map(y, b.load(small_a, {at[0], mod(at[1], n)}) + b.load(small_b, at));
  return b.numbered();
}

TEST(Order, ASymbolMakesAPartMixedAndSeveralPointsJudge) {
  const Dim n = Index::symbol(test::param("N", 1, 256, 8));
  const KernelGraph graph = two_branches(n);
  const OrderPlan plan = plan_order(graph);
  EXPECT_EQ(check_order(graph, plan), "");
  EXPECT_LT(plan.peak, plan.given_peak);
  ASSERT_EQ(plan.parts.size(), 1U);
  EXPECT_EQ(plan.parts[0].part.part_class, PartClass::mixed);
  EXPECT_EQ(plan.parts[0].part.nodes, 5);
  EXPECT_EQ(plan.parts[0].part.method.substr(0, 10), "exhaustive");
  // Without the search the same parts are told, and nothing moves.
  const OrderPlan given = plan_order(graph, {.limits = {.search = false}});
  EXPECT_EQ(to_string(given.order), "0 1 2 3 4");
  ASSERT_EQ(given.parts.size(), 1U);
  EXPECT_EQ(given.parts[0].part.method, "as given");
}

TEST(Order, InputsAndOutputsCountForTheClassOfAPart) {
  GraphBuilder b;
  const Dim n = Index::symbol(test::param("N", 1, 256, 8));
  b.unary(b.output({n, 4}), b.input({n, 4}));
  const OrderPlan plan = plan_order(b.numbered());
  ASSERT_EQ(plan.parts.size(), 1U);
  EXPECT_EQ(plan.parts[0].part.part_class, PartClass::mixed);
}

TEST(Order, SizesOfTheRunMakeAPartNac) {
  GraphBuilder b;
  const Symbol rows = test::run_symbol("rows", 0, 4);
  const ValueId x = b.input({4, 4});
  b.step(Bind{rows, Expr::constant(Type::i64, 3), {}});
  const ValueId y = b.internal({Index::symbol(rows), 4});
  b.slice(y, x, 0);
  b.unary(b.output({Index::symbol(rows), 4}), y);
  const OrderPlan plan = plan_order(b.numbered());
  ASSERT_FALSE(plan.parts.empty());
  EXPECT_EQ(plan.parts.back().part.part_class, PartClass::nac);
}

TEST(OrderSearch, OrdersOfSeveralPointsAreWithinTheBestOfEachOrCompared) {
  Numbers numbers(5);
  int apart = 0;
  for (int i = 0; i < 200; ++i) {
    OrderProblem problem = random_problem(numbers, static_cast<int>(numbers.between(3, 7)));
    for (int k = 0; k < 2; ++k) {
      problem.extra.push_back(problem.extra[0]);
      problem.sizes.emplace_back();
      for (size_t v = 0; v < problem.bytes.size(); ++v)
        problem.sizes.back().push_back(numbers.between(1, 40));
    }
    const OrderSolution solution = search_order(problem, {});
    ASSERT_TRUE(respects(problem, solution.order));
    // The best at every point alone, by trying all.
    const std::vector<int> given = given_order(problem);
    const std::vector<int64_t> least = least_peaks(problem);
    int64_t worst = 0;
    int64_t worst_given = 0;
    for (size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(solution.peaks[k], peak_of(problem, solution.order, k));
      ASSERT_GE(solution.peaks[k], least[k]);
      worst = std::max(worst, (solution.peaks[k] - least[k]) * 1000000 / least[k]);
      worst_given =
          std::max(worst_given, (peak_of(problem, given, k) - least[k]) * 1000000 / least[k]);
      apart += solution.peaks[k] > least[k];
    }
    if (solution.parts.size() > 1) continue;
    EXPECT_LE(worst, std::max<int64_t>(20000, worst_given)) << i;
  }
  EXPECT_GT(apart, 5);  // points do disagree
}

TEST(Order, KeepsTheGivenOrderWhereNothingIsGained) {
  GraphBuilder b;
  const ValueId x = b.input({4, 4});
  ValueId last = x;
  for (int i = 0; i < 5; ++i) {
    const ValueId next = b.internal({4, 4});
    b.transpose(next, last);
    last = next;
  }
  b.unary(b.output({4, 4}), last);
  const OrderPlan plan = plan_order(b.numbered());
  EXPECT_EQ(plan.peak, plan.given_peak);
  EXPECT_EQ(to_string(plan.order), "0 1 2 3 4 5");
}

TEST(Order, SymbolsAreBoundBeforeUseAndChecksStayAhead) {
  GraphBuilder b;
  const Symbol rows = test::run_symbol("rows", 0, 4);
  const ValueId x = b.input({4, 4});
  b.step(Bind{rows, Expr::constant(Type::i64, 3), {}});
  b.step(Check{{{Index::symbol(rows), 0, 5}}, "rows", {}});
  const ValueId y = b.internal({Index::symbol(rows), 4});
  b.slice(y, x, 0);
  b.unary(b.output({Index::symbol(rows), 4}), y);
  OrderPlan plan = plan_order(b.numbered());
  EXPECT_EQ(check_order(b.numbered(), plan), "");
  plan.order = {StepId{1}, StepId{0}, StepId{2}, StepId{3}};
  EXPECT_NE(check_order(b.numbered(), plan), "");  // the check uses what is bound
  plan.order = {StepId{0}, StepId{2}, StepId{1}, StepId{3}};
  EXPECT_NE(check_order(b.numbered(), plan), "");  // passes the check
  plan.order = {StepId{0}, StepId{1}, StepId{3}, StepId{2}};
  EXPECT_NE(check_order(b.numbered(), plan), "");  // reads before it is written
  plan.order = {StepId{0}, StepId{1}, StepId{2}, StepId{2}};
  EXPECT_NE(check_order(b.numbered(), plan), "");
  plan.order = {StepId{0}, StepId{1}, StepId{2}};
  EXPECT_NE(check_order(b.numbered(), plan), "");
}

TEST(Order, RandomGraphsComputeTheSame) {
  Numbers numbers(3);
  int changed = 0;
  for (int i = 0; i < 150; ++i) {
    const KernelGraph graph = test::random_graph(numbers, {16, i % 3 == 0, true});
    const OrderPlan plan = plan_order(graph);
    ASSERT_EQ(check_order(graph, plan), "");
    ASSERT_LE(plan.peak, plan.given_peak);
    const KernelGraph moved = in_order(graph, plan.order);
    const test::TokenRun run{[](const Symbol& symbol) { return at_hints(Index::symbol(symbol)); },
                             3, ~uint64_t{0}};
    ASSERT_EQ(test::run_on_tokens(graph, nullptr, run), test::run_on_tokens(moved, nullptr, run))
        << to_string(graph) << to_string(plan);
    changed += plan.peak < plan.given_peak;
  }
  EXPECT_GT(changed, 20);
}

TEST(Order, CheckerFindsEverySwapThatChangesAResult) {
  Numbers numbers(4);
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    const KernelGraph graph = test::random_graph(numbers, {10, false, false});
    OrderPlan plan = plan_order(graph);
    RunOrder& list = plan.order;
    const auto at = static_cast<size_t>(numbers.below(static_cast<int64_t>(list.size()) - 1));
    std::swap(list[at], list[at + 1]);
    if (!check_order(graph, plan).empty()) {
      ++found;
      continue;
    }
    const test::TokenRun run{[](const Symbol& symbol) { return symbol->min; }, 3, 0};
    ASSERT_EQ(test::run_on_tokens(graph, nullptr, run),
              test::run_on_tokens(in_order(graph, plan.order), nullptr, run));
  }
  EXPECT_GT(found, 20);
}

}  // namespace
}  // namespace burin::order_test
