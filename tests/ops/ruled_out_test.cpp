// Branches that the sizes of a tree rule out: the run stops where it takes one; the other one runs.
#include <gtest/gtest.h>

#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/diagnostics.h"
#include "support/onnx_writer.h"

namespace burin::ruled_out_test {
namespace {

using namespace onnx_writer;  // NOLINT

Message branch(const std::vector<Message>& nodes, const char* result) {
  return graph(
      {.nodes = nodes, .initializers = {}, .inputs = {}, .outputs = {Message().text(1, result)}});
}

// x[1, n] times weights of four rows, or of three.
GraphParts either_product(const Size& columns) {
  const auto weights = [](const char* name, int64_t rows) {
    return raw_tensor(name, kFloat, {rows, 1}, std::string(static_cast<size_t>(rows) * 4, '\0'));
  };
  return {
      .nodes = {node(
          "If", {"c"}, {"y"},
          {graph_attribute(
               "then_branch",
               branch({node("MatMul", {"x", "four"}, {"a"}), node("Cos", {"a"}, {"r"})}, "r")),
           graph_attribute("else_branch", branch({node("MatMul", {"x", "three"}, {"s"})}, "s"))})},
      .initializers = {weights("four", 4), weights("three", 3)},
      .inputs = {value("c", kBool, {}), value("x", kFloat, {1, columns})},
      .outputs = {Message().text(1, "y")}};
}

Lowered lowered_of(const GraphParts& parts) {
  return lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), {});
}

RunResult run_of(const Lowered& lowered, bool flag, int64_t columns) {
  HostTensor c = make_tensor(Type::boolean, {});
  c.set(0, {0, flag ? 1 : 0});
  const HostTensor x = make_tensor(Type::f32, {1, columns});
  return interpret(lowered.graph, {c, x}, bind_symbols(lowered.graph, {{}, {1, columns}}));
}

TEST(RuledOut, OneBranchBySizes) {
  for (const int64_t columns : {4, 3}) {
    const Lowered lowered = lowered_of(either_product(columns));
    ASSERT_EQ(lowered.notes.size(), 1U);
    EXPECT_NE(
        to_warning(lowered.notes[0]).find(columns == 4 ? "the else_branch" : "the then_branch"),
        std::string::npos)
        << to_warning(lowered.notes[0]);
    const RunResult runs = run_of(lowered, columns == 4, columns);
    ASSERT_EQ(runs.status, kRunOk) << runs.message;
    EXPECT_EQ(runs.outputs[0],
              make_tensor(Type::f32, {1, 1}, std::vector<double>{columns == 4 ? 1. : 0.}));
    const RunResult stops = run_of(lowered, columns != 4, columns);
    EXPECT_NE(stops.status, kRunOk);
    EXPECT_NE(stops.message.find("the branch that these sizes rule out"), std::string::npos)
        << stops.message;
  }
}

TEST(RuledOut, BothAreRefused) {
  try {
    lowered_of(either_product(5));
    FAIL();
  } catch (const Refused& refused) {
    ASSERT_FALSE(refused.diagnostics.empty());
    EXPECT_EQ(refused.diagnostics[0].rule, "shape-mismatch");
  }
}

TEST(RuledOut, OpenSizesAreServedInBoth) {
  const Lowered lowered = lowered_of(either_product("n"));
  EXPECT_TRUE(lowered.notes.empty());
  EXPECT_EQ(run_of(lowered, true, 4).status, kRunOk);
  EXPECT_EQ(run_of(lowered, false, 3).status, kRunOk);
  EXPECT_NE(run_of(lowered, true, 3).status, kRunOk);
}

// A constant that the branch was the first to read: others read it, too.
TEST(RuledOut, ConstantsFromAroundABranchStay) {
  for (const int64_t columns : {4, 3}) {
    GraphParts parts = either_product(columns);
    parts.nodes.push_back(node("Cos", {"four"}, {"z"}));
    parts.nodes.push_back(node("Cos", {"three"}, {"z_too"}));
    for (const char* name : {"z", "z_too"}) parts.outputs.push_back(Message().text(1, name));
    const RunResult result = run_of(lowered_of(parts), columns == 4, columns);
    ASSERT_EQ(result.status, kRunOk) << result.message;
    EXPECT_EQ(result.outputs[1], make_tensor(Type::f32, {4, 1}, std::vector<double>(4, 1.)));
    EXPECT_EQ(result.outputs[2], make_tensor(Type::f32, {3, 1}, std::vector<double>(3, 1.)));
  }
}

// A refusal for another reason is one: an operator that nobody knows.
TEST(RuledOut, OtherFaultsAreRefused) {
  GraphParts parts = either_product(4);
  parts.nodes[0] =
      node("If", {"c"}, {"y"},
           {graph_attribute("then_branch", branch({node("Cos", {"x"}, {"r"})}, "r")),
            graph_attribute("else_branch", branch({node("Cosy", {"x"}, {"s"})}, "s"))});
  EXPECT_THROW(lowered_of(parts), Refused);
}

}  // namespace
}  // namespace burin::ruled_out_test
