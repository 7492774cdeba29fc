// check_graph() finds every broken invariant; find(), locate() and Tensor.
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "support/check.h"

namespace burin::graph_check_test {
namespace {

constexpr const char* kText = R"(
    graph "g" file "g.onnx" ir 8
    value %0 "x" f32 [4]
    value %1 "w" f32 [2] = f32 [2] {1, 2}
    value %2 "y" none ?
    value %3 "z" none ?
    value %4 "inner" none ?
    block "g" (%0) -> (%3) {
      node 0 "a" Add@14 (%0, %1) -> (%2)
      node 1 "b" If@16 (%2, -) -> (%3, -) {
        then_branch: block "t" () -> (%4) {
          node 0 "" Neg@13 (%2) -> (%4)
        }
      }
    })";

TEST(GraphCheck, AcceptsAGoodGraph) { EXPECT_NO_THROW(check_graph(parse_graph(kText))); }

template <class Change>
std::string broken(Change&& change) {
  Graph graph = parse_graph(kText);
  change(graph);
  try {
    check_graph(graph);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GraphCheck, FindsBrokenGraphs) {
  const auto names = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(names(broken([](Graph& g) { std::swap(g.block.nodes[0], g.block.nodes[1]); }),
                    "value 2 'y' is used where it is not defined"));
  EXPECT_TRUE(names(broken([](Graph& g) { g.block.nodes[0].outputs = {0}; }),
                    "value 0 'x' is defined twice"));
  EXPECT_TRUE(names(broken([](Graph& g) { g.block.outputs = {4}; }),
                    "value 4 'inner' is used where it is not defined"));
  EXPECT_TRUE(names(broken([](Graph& g) {
                      g.block.inputs = {0, 1};
                    }),
                    "value 1 'w' is defined twice"));
  EXPECT_TRUE(names(broken([](Graph& g) { g.block.outputs = {9}; }), "value 9"));
  EXPECT_TRUE(names(broken([](Graph& g) { g.values[1].constant->shape = {3}; }), "'w'"));
  EXPECT_TRUE(names(broken([](Graph& g) { g.values[1].constant->shape = {-2}; }), "'w'"));
}

TEST(GraphCheck, FindAndLocate) {
  const Graph graph = parse_graph(kText);
  const Node& node = graph.block.nodes[1];
  EXPECT_NE(node.find("then_branch"), nullptr);
  EXPECT_EQ(node.find("else_branch"), nullptr);
  EXPECT_EQ(locate(node).node, "node 1 'b'");
  EXPECT_EQ(locate(node).op, "If");
  Node odd;
  odd.number = 3;
  odd.op = "A*/\nB";
  EXPECT_EQ(locate(odd).node, "node 3");
  EXPECT_EQ(locate(odd).op, "'A*/\\x0aB'");
}

TEST(GraphCheck, TensorElements) {
  EXPECT_EQ((Tensor{Type::f32, {}, {}, {}}.elements()), 1);
  EXPECT_EQ((Tensor{Type::f32, {3, 4}, {}, {}}.elements()), 12);
  EXPECT_EQ((Tensor{Type::f32, {int64_t{1} << 62, 4, 0}, {}, {}}.elements()), 0);
  EXPECT_THROW((Tensor{Type::f32, {int64_t{1} << 62, 4}, {}, {}}.elements()), Refused);
}

}  // namespace
}  // namespace burin::graph_check_test
