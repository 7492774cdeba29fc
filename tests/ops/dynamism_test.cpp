// Dynamism classes beside Table 2 of SoD2: every operator that it lists, with all operands from the
// run, and again with those that it reads sizes from known while generating. Where the table breaks
// the definitions of section 3, `table` says what it says and the reason stands beside it.
#include <gtest/gtest.h>

#include "lower/lower.h"
#include "ops/support/node_runner.h"

namespace burin::dynamism_test {
namespace {

std::string class_of(const Graph& graph) {
  return lower(graph, {.fold_constants = false}).nodes.at(0).dynamism_class;
}

struct Row {
  NodeTest node;
  std::string expected;
  std::string table;  // where the table differs
};

HostTensor images() { return counting({2, 4, 6, 6}); }
HostTensor four(std::vector<int64_t> numbers) { return ints(std::move(numbers)); }

std::vector<Row> table_2() {
  const Argument data = sized(images());
  const auto weights = [](std::vector<int64_t> shape) { return given(counting(std::move(shape))); };
  const std::vector<int64_t> two = {2, 2};
  const Attribute window{"kernel_shape", two};
  return {
      // Input Shape Determined Output. What ConstantOfShape fills is the contents of its operand.
      {{"Shape", 13, {data}}, "ISDO", ""},
      {{"EyeLike", 9, {sized(counting({3, 3}))}}, "ISDO", ""},
      {{"ConstantOfShape", 9, {given(ints({2, 3}))}}, "ISVDOS", "ISDO"},
      // Input Shape Determined Output Shape.
      {{"Add", 13, {data, given(images())}}, "ISDOS", ""},
      {{"AveragePool", 19, {given(images())}, {window}}, "ISDOS", ""},
      {{"Cast", 13, {data}, {{"to", int64_t{7}}}}, "ISDOS", ""},
      {{"Concat", 13, {data, data}, {{"axis", int64_t{0}}}}, "ISDOS", ""},
      {{"Conv", 11, {given(images()), weights({3, 4, 2, 2})}}, "ISDOS", ""},
      {{"Gather", 13, {data, given(ints({1}))}}, "ISDOS", ""},
      {{"MatMul", 13, {sized(counting({2, 3})), given(counting({3, 5}))}}, "ISDOS", ""},
      {{"MaxPool", 12, {given(images())}, {window}}, "ISDOS", ""},
      {{"ReduceSum", 11, {data}, {{"axes", std::vector<int64_t>{1, 2}}}}, "ISDOS", ""},
      {{"Relu", 14, {data}}, "ISDOS", ""},
      {{"Round", 11, {data}}, "ISDOS", ""},
      {{"Sigmoid", 13, {data}}, "ISDOS", ""},
      {{"Softmax", 13, {data}}, "ISDOS", ""},
      // Input Shape & Value Determined Output Shape. No operand of GroupNormalization holds sizes.
      {{"Expand", 13, {data, given(four({2, 4, 6, 6}))}}, "ISVDOS", ""},
      {{"GroupNormalization",
        21,
        {given(images()), weights({4}), weights({4})},
        {{"num_groups", int64_t{2}}}},
       "ISDOS",
       "ISVDOS"},
      {{"MaxUnpool",
        11,
        {given(images()), given(counting({2, 4, 6, 6}, Type::i64)), given(four({2, 4, 12, 12}))},
        {window, {"strides", two}}},
       "ISVDOS",
       ""},
      {{"OneHot", 11, {given(ints({0, 1})), given(scalar(3)), given(floats({2}, {0, 1}))}},
       "ISVDOS",
       ""},
      {{"Range", 11, {given(scalar(0)), given(scalar(7)), given(scalar(2))}}, "ISVDOS", ""},
      {{"Reshape", 14, {data, given(four({2, 4, 36}))}}, "ISVDOS", ""},
      {{"Resize", 13, {given(images()), absent(), absent(), given(four({2, 4, 12, 12}))}},
       "ISVDOS",
       ""},
      {{"Slice", 13, {data, given(ints({0})), given(ints({2}))}}, "ISVDOS", ""},
      {{"TopK", 11, {sized(counting({9})), given(ints({3}))}, {}, 2}, "ISVDOS", ""},
      {{"Upsample", 9, {given(images()), given(floats({4}, {1, 1, 2, 2}))}}, "ISVDOS", ""},
      // Execution Determined Output.
      {{"NonMaxSuppression",
        11,
        {given(counting({1, 6, 4})), given(counting({1, 1, 6})), given(scalar(3))}},
       "EDO",
       ""},
      {{"NonZero", 13, {data}}, "EDO", ""},
  };
}

TEST(Dynamism, ClassesAreThoseOfTable2) {
  int differ = 0;
  for (const Row& row : table_2()) {
    EXPECT_EQ(class_of(graph_of(row.node)), row.expected) << row.node.op;
    if (row.table.empty()) continue;
    EXPECT_NE(row.table, row.expected) << row.node.op;
    ++differ;
  }
  EXPECT_EQ(differ, 2);
}

// Section 3, Discussion: an operator becomes less dynamic where contents turn out constant.
TEST(Dynamism, ConstantsMakeOperatorsLessDynamic) {
  for (Row row : table_2()) {
    if (row.expected != "ISVDOS") continue;
    for (Argument& argument : row.node.inputs) {
      if (argument.tensor && !argument.symbolic) argument = fixed(*argument.tensor);
    }
    const std::string found = class_of(graph_of(row.node));
    EXPECT_TRUE(found == "ISDOS" || found == "ISDO") << row.node.op << ": " << found;
  }
}

// Sizes that follow from the shapes of inputs are no values: Reshape to what Shape computes.
TEST(Dynamism, ComputedShapesCountAsShapes) {
  const Graph graph = parse_graph(R"(
    graph "g" file "g.onnx" ir 8
    symbol "n" param 1..64
    value %0 "x" f32 [n, 6]
    value %1 "s" none ?
    value %2 "y" none ?
    block "g" (%0) -> (%2) {
      node 0 "shape" Shape@13 (%0) -> (%1)
      node 1 "same" Reshape@14 (%0, %1) -> (%2)
    })");
  const std::vector<NodeFacts> nodes = lower(graph, {}).nodes;
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].dynamism_class, "ISDO");
  EXPECT_EQ(nodes[1].dynamism_class, "ISDOS");
}

TEST(Dynamism, RegionsAreExecutionDetermined) {
  const Graph graph = parse_graph(R"(
    graph "g" file "g.onnx" ir 8
    value %0 "c" boolean []
    value %1 "x" f32 [4]
    value %2 "y" none ?
    value %3 "t" none ?
    value %4 "e" none ?
    block "g" (%0, %1) -> (%2) {
      node 0 "choice" If@16 (%0) -> (%2) {
        then_branch: block "t" () -> (%3) {
          node 0 "" Neg@13 (%1) -> (%3)
        }
        else_branch: block "e" () -> (%4) {
          node 0 "" Abs@13 (%1) -> (%4)
        }
      }
    })");
  int found = 0;
  for (const NodeFacts& node : lower(graph, {}).nodes) {
    if (node.op != "If") continue;
    EXPECT_EQ(node.dynamism_class, "EDO");
    ++found;
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace burin::dynamism_test
