// <Switch, Combine>: which paths run, what comes out, what is refused, and what stands in the
// steps.
#include <gtest/gtest.h>

#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "ops/support/node_runner.h"
#include "support/diagnostics.h"

namespace burin::paths_test {
namespace {

using Numbers = std::vector<double>;

// y of x[2] and a predicate p; `nodes` may use %3 to %13.
Graph graph_with(const std::string& predicate, const std::string& nodes,
                 const std::string& outputs = "%2") {
  std::string values;
  for (int id = 3; id <= 13; ++id)
    values += "value %" + std::to_string(id) + " \"v" + std::to_string(id) + "\" none ?\n";
  return parse_graph("graph \"g\" file \"g.onnx\" ir 8\nvalue %0 \"x\" f32 [2]\nvalue %1 \"p\" " +
                     predicate + "\nvalue %2 \"y\" none ?\n" + values +
                     "block \"g\" (%0, %1) -> (" + outputs + ") {\n" + nodes + "}");
}

RunResult run_graph(const Graph& graph, const HostTensor& predicate) {
  const Lowered lowered = lower(graph, {});
  check_kernel_graph(lowered.graph);
  return interpret(lowered.graph, {floats({2}, {1, 4}), predicate}, {});
}

HostTensor flag(bool value) { return make_tensor(Type::boolean, {}, std::vector<int64_t>{value}); }
HostTensor mask(const std::vector<int64_t>& values) {
  return make_tensor(Type::boolean, {static_cast<int64_t>(values.size())}, values);
}

std::string refused(const Graph& graph) {
  try {
    lower(graph, {});
  } catch (const Refused& refused) {
    return refused.diagnostics.at(0).rule + ": " + refused.diagnostics.at(0).message;
  }
  return "";
}

const std::string kTwo = R"(
  node 0 "s" burin Switch@1 (%0, %1) -> (%3, %4)
  node 1 "n" Neg@13 (%3) -> (%5)
  node 2 "r" Sqrt@13 (%4) -> (%6)
)";

int count_ifs(const Steps& steps) {
  int ifs = 0;
  for_each_step(
      steps, [&](const Step& step) { ifs += std::holds_alternative<std::shared_ptr<If>>(step); });
  return ifs;
}

TEST(Paths, AFlagTakesPathZeroWhereItIsFalse) {
  const Graph graph =
      graph_with("boolean []", kTwo + "node 3 \"c\" burin Combine@1 (%5, %6) -> (%2)");
  EXPECT_EQ(numbers_of(run_graph(graph, flag(false)).outputs.at(0)), (Numbers{-1, -4}));
  EXPECT_EQ(numbers_of(run_graph(graph, flag(true)).outputs.at(0)), (Numbers{1, 2}));
  // One branch, in which everything stands.
  const Steps steps = lower(graph, {}).graph.steps;
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(count_ifs(steps), 1);
}

TEST(Paths, SeveralCombinesOfOneSwitchAreOneBranch) {
  const Graph graph = graph_with("boolean []", kTwo + R"(
    node 3 "t" Exp@13 (%6) -> (%7)
    node 4 "c" burin Combine@1 (%5, %6) -> (%8)
    node 5 "d" burin Combine@1 (%3, %7) -> (%9)
    node 6 "a" Add@14 (%8, %9) -> (%2)
  )");
  EXPECT_EQ(count_ifs(lower(graph, {}).graph.steps), 1);
  EXPECT_EQ(numbers_of(run_graph(graph, flag(false)).outputs.at(0)), (Numbers{0, 0}));
}

TEST(Paths, ANumberNamesThePath) {
  const Graph graph = graph_with("i64 []", R"(
    node 0 "s" burin Switch@1 (%0, %1) -> (%3, %4, %5)
    node 1 "n" Neg@13 (%3) -> (%6)
    node 2 "r" Sqrt@13 (%5) -> (%7)
    node 3 "c" burin Combine@1 (%6, %4, %7) -> (%2)
  )");
  const auto y = [&](int64_t path) {
    return numbers_of(run_graph(graph, scalar(path)).outputs.at(0));
  };
  EXPECT_EQ(y(0), (Numbers{-1, -4}));
  EXPECT_EQ(y(1), (Numbers{1, 4}));
  EXPECT_EQ(y(2), (Numbers{1, 2}));
  for (const int64_t none : {-1, 3}) EXPECT_NE(run_graph(graph, scalar(none)).status, kRunOk);
}

TEST(Paths, AMaskMayTakeSeveralOrNone) {
  const auto with = [](const std::string& merge) {
    return graph_with(
        "boolean [2]",
        kTwo + "node 3 \"c\" burin Combine@1 (%5, %6) -> (%2, %7) { merge: string " + merge + " }",
        "%2, %7");
  };
  const Graph sum = with("\"sum\""), first = with("\"first\""), last = with("\"last\"");
  const auto y = [](const Graph& graph, const std::vector<int64_t>& paths) {
    const RunResult result = run_graph(graph, mask(paths));
    EXPECT_EQ(numbers_of(result.outputs.at(1)), Numbers{double(paths[0] + paths[1])});
    return numbers_of(result.outputs.at(0));
  };
  EXPECT_EQ(y(sum, {1, 1}), (Numbers{0, -2}));
  EXPECT_EQ(y(sum, {0, 1}), (Numbers{1, 2}));
  EXPECT_EQ(y(first, {1, 1}), (Numbers{-1, -4}));
  EXPECT_EQ(y(first, {0, 1}), (Numbers{1, 2}));
  EXPECT_EQ(y(last, {1, 1}), (Numbers{1, 2}));
  EXPECT_EQ(y(last, {1, 0}), (Numbers{-1, -4}));
  for (const Graph& graph : {sum, first, last})
    EXPECT_NE(run_graph(graph, mask({0, 0})).status, kRunOk);
}

// What always runs is an operand too: a residual that a path may add to.
TEST(Paths, WhatIsOnNoPathAlwaysRuns) {
  const Graph graph =
      graph_with("boolean []",
                 kTwo + "node 3 \"c\" burin Combine@1 (%0, %6) -> (%2) { merge: string \"sum\" }");
  EXPECT_EQ(numbers_of(run_graph(graph, flag(false)).outputs.at(0)), (Numbers{1, 4}));
  EXPECT_EQ(numbers_of(run_graph(graph, flag(true)).outputs.at(0)), (Numbers{2, 6}));
}

// The inner predicate is computed on the outer path, and its branch stands in there.
TEST(Paths, InsideOfPaths) {
  const Graph graph = graph_with("boolean []", R"(
    node 0 "s" burin Switch@1 (%0, %1) -> (%3, %4)
    node 1 "m" ReduceMax@12 (%4) -> (%5) { keepdims: int 0 }
    node 2 "k" Cast@13 (%5) -> (%6) { to: int 7 }
    node 3 "t" burin Switch@1 (%4, %6) -> (%7, %8, %9, %10, %11)
    node 4 "n" Neg@13 (%11) -> (%12)
    node 5 "c" burin Combine@1 (%8, %12) -> (%13)
    node 6 "d" burin Combine@1 (%3, %13) -> (%2)
  )");
  EXPECT_EQ(numbers_of(run_graph(graph, flag(false)).outputs.at(0)), (Numbers{1, 4}));
  EXPECT_EQ(numbers_of(run_graph(graph, flag(true)).outputs.at(0)), (Numbers{-1, -4}));
  const Steps steps = lower(graph, {}).graph.steps;
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<std::shared_ptr<If>>(steps[0]));
}

// A predicate that is known while generating leaves only what runs.
TEST(Paths, KnownPredicatesLeaveNoBranch) {
  const std::string constant = R"(
    graph "g" file "g.onnx" ir 8
    value %0 "x" f32 [2]
    value %1 "p" i64 [] = i64 [] {1}
    value %2 "y" none ?
    value %3 "a" none ?
    value %4 "b" none ?
    value %5 "n" none ?
    block "g" (%0) -> (%2) {
      node 0 "s" burin Switch@1 (%0, %1) -> (%3, %4)
      node 1 "n" Neg@13 (%4) -> (%5)
      node 2 "c" burin Combine@1 (%3, %5) -> (%2)
    })";
  const Lowered lowered = lower(parse_graph(constant), {});
  EXPECT_EQ(count_ifs(lowered.graph.steps), 0);
  EXPECT_EQ(lowered.graph.steps.size(), 1U);
}

TEST(Paths, TheyAreExecutionDetermined) {
  const Graph graph =
      graph_with("boolean []", kTwo + "node 3 \"c\" burin Combine@1 (%5, %6) -> (%2)");
  int found = 0;
  for (const NodeFacts& node : lower(graph, {}).nodes) {
    const bool pair = node.op == "Switch" || node.op == "Combine";
    EXPECT_EQ(node.dynamism_class, pair ? "EDO" : "ISDOS") << node.op;
    found += pair;
  }
  EXPECT_EQ(found, 2);
}

TEST(Paths, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refused(graph_with("boolean []", kTwo + "node 3 \"i\" Abs@13 (%5) -> (%2)")),
            "dynamic-value: it lies on a path of a Switch that need not run");
  EXPECT_EQ(refused(graph_with("boolean []", kTwo + R"(
              node 3 "both" Add@14 (%5, %6) -> (%7)
              node 4 "c" burin Combine@1 (%7) -> (%2))")),
            "dynamic-value: none of the paths runs, whatever the inputs are");
  EXPECT_EQ(
      refused(graph_with("boolean [3]", kTwo + R"(
              node 3 "c" burin Combine@1 (%5, %6) -> (%2))")),
      "shape-mismatch: elements of the predicate and paths: 3 and 2 must be equal; data is [2], "
      "predicate is [3]");
  EXPECT_EQ(refused(graph_with("boolean []", kTwo + R"(
              node 3 "c" burin Combine@1 (%5, %6) -> (%7)
              node 4 "i" Neg@13 (%7) -> (%8)
              node 5 "again" Exp@13 (%6) -> (%9)
              node 6 "d" burin Combine@1 (%5, %9) -> (%10)
              node 7 "a" Add@14 (%8, %10) -> (%2))")),
            "unsupported-feature: a path of a Switch goes on after its Combine was read");
  EXPECT_EQ(refused(graph_with("boolean []", kTwo + R"(
              node 3 "c" burin Combine@1 (%5, %6) -> (%2) { merge: string "most" })")),
            "bad-attribute: attribute 'merge' is 'most', not first, last or sum");
}

}  // namespace
}  // namespace burin::paths_test
