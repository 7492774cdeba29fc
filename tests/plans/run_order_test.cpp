// Identities of steps, and orders as lists of them.
#include "kernel/run_order.h"

#include <gtest/gtest.h>

#include "plan/memory/alias_rules.h"
#include "plan/order/order.h"
#include "plans/support/graph_builder.h"
#include "plans/support/random_graph.h"
#include "plans/support/token_run.h"

namespace burin::run_order_test {
namespace {

using test::GraphBuilder;
using test::Numbers;

RunOrder steps(const std::vector<int>& numbers) {
  RunOrder out;
  for (const int number : numbers) out.push_back(StepId{number});
  return out;
}

// A copy, a loop with two copies inside, a copy.
KernelGraph with_loop() {
  GraphBuilder b;
  const ValueId x = b.input({4, 4}), a = b.internal({4, 4});
  b.unary(a, x);
  auto loop = std::make_shared<Loop>();
  loop->iteration = test::iteration("i", 3);
  loop->trips = 3;
  loop->condition = Expr::constant(Type::boolean, 1);
  const ValueId y = b.output({4, 4}), z = b.output({4, 4});
  b.into(loop->body, [&] {
    b.unary(y, a);
    b.transpose(z, a);
  });
  b.step(loop);
  b.unary(b.output({4, 4}), x);
  return b.graph;
}

TEST(RunOrder, StepsAreNumberedOnceAndStayWhoTheyAre) {
  const KernelGraph given = with_loop();
  EXPECT_EQ(run_order(given.steps), RunOrder(5, kNoStep));
  const KernelGraph graph = with_step_ids(given);
  EXPECT_EQ(run_order(graph.steps), steps({0, 1, 2, 3, 4}));
  EXPECT_EQ(run_order(given.steps), RunOrder(5, kNoStep)) << "what lies in a loop is shared";

  KernelGraph moved = in_order(graph, steps({4, 0, 1, 3, 2}));
  EXPECT_EQ(run_order(moved.steps), steps({4, 0, 1, 3, 2}));
  EXPECT_EQ(run_order(graph.steps), steps({0, 1, 2, 3, 4}));
  moved.steps.insert(moved.steps.begin(), std::get<Kernel>(moved.steps[0]));
  EXPECT_EQ(run_order(with_step_ids(moved).steps), steps({5, 4, 0, 1, 3, 2}));
}

TEST(RunOrder, AStepThatBecomesSomethingElseIsTheSameStep) {
  KernelGraph graph = with_step_ids(with_loop());
  graph.steps[0] = Check{};
  graph.steps[2] = std::get<Kernel>(graph.steps[2]);
  EXPECT_EQ(run_order(graph.steps), steps({0, 1, 2, 3, 4}));
}

TEST(RunOrder, PositionsAreThoseOfTheOrder) {
  const Positions positions(steps({7, 2, 9}));
  EXPECT_EQ(positions.at(StepId{9}), 2);
  EXPECT_TRUE(positions.contains(StepId{7}));
  EXPECT_FALSE(positions.contains(StepId{0}));
  EXPECT_THROW(positions.at(StepId{0}), std::exception);
  EXPECT_THROW(Positions{steps({1, 1})}, std::exception);
  EXPECT_THROW(Positions{with_loop()}, std::exception) << "nobody has numbered them";
}

TEST(RunOrder, GraphsWithOneIdentityTwiceAreFaults) {
  KernelGraph graph = with_step_ids(with_loop());
  check_kernel_graph(graph);
  graph.steps[0].id = graph.steps[2].id;
  EXPECT_THROW(check_kernel_graph(graph), std::exception);
}

TEST(RunOrder, TheCheckerOfOrdersSeesThatListsStayTogether) {
  const KernelGraph graph = with_step_ids(with_loop());
  const auto fault = [&](const RunOrder& order) {
    OrderPlan plan;
    plan.order = order;
    return check_order(graph, plan);
  };
  EXPECT_EQ(fault(steps({4, 0, 1, 3, 2})), "");
  EXPECT_EQ(fault(steps({0, 1, 2, 4, 3})), "step 3 does not run with the others of its list");
  EXPECT_EQ(fault(steps({0, 2, 1, 3, 4})), "step 1 does not run with the others of its list");
  EXPECT_EQ(fault(steps({0, 1, 2, 3})), "an order of another length");
  EXPECT_EQ(fault(steps({0, 1, 2, 3, 3})), "a step runs twice");
  EXPECT_EQ(fault(steps({0, 1, 2, 3, 5})), "step 4 does not run");
  EXPECT_EQ(fault(steps({1, 2, 3, 0, 4})), "steps 0 and 1 meet at value 1");
}

// Whatever numbers the steps have, the same order is found.
TEST(RunOrder, AnOrderDoesNotDependOnTheNumbers) {
  Numbers numbers(11);
  int changed = 0;
  for (int i = 0; i < 40; ++i) {
    const KernelGraph graph = test::random_graph(numbers, {16, false, true});
    const OrderPlan plan = plan_order(graph);
    const int count = static_cast<int>(plan.order.size());
    const auto renamed = [&](StepId id) { return StepId{(static_cast<int>(id) + 1) * 7 % 997}; };
    KernelGraph other = graph;
    ASSERT_LT(count, 100);
    const std::function<void(Steps&)> rename = [&](Steps& list) {
      for (Step& step : list) {
        step.id = renamed(step.id);
        if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
          auto copy = std::make_shared<If>(**branch);
          rename(copy->then_steps);
          rename(copy->else_steps);
          *branch = std::move(copy);
        } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
          auto copy = std::make_shared<Loop>(**loop);
          rename(copy->body);
          *loop = std::move(copy);
        }
      }
    };
    rename(other.steps);
    RunOrder expected;
    for (const StepId id : plan.order) expected.push_back(renamed(id));
    EXPECT_EQ(plan_order(other).order, expected);
    changed += plan.order != run_order(graph.steps);
  }
  EXPECT_GT(changed, 3);
}

TEST(AliasRules, AreOneListThatPrints) {
  const AliasRules rules = {NeverInPlace{StepId{3}}, RowsFirst{StepId{4}, 2},
                            Concurrent{steps({5, 6})}, OwnMemory{7}};
  EXPECT_EQ(to_string(rules),
            "step 3 is never in place\nstep 4 makes rows of let2 before it writes them\n"
            "steps 5 6 run at the same time\nv7 has a memory of its own\n");
  const AliasIndex index(rules);
  EXPECT_TRUE(index.never_in_place.contains(StepId{3}));
  EXPECT_EQ(index.rows_first(StepId{4}), 2);
  EXPECT_EQ(index.rows_first(StepId{3}), -1);
  EXPECT_EQ(index.concurrent, (std::set{StepId{5}, StepId{6}}));
  EXPECT_EQ(index.own_memory, std::set<ValueId>{7});
  EXPECT_EQ(rules_of<OwnMemory>(rules), std::vector<OwnMemory>{{7}});
}

}  // namespace
}  // namespace burin::run_order_test
