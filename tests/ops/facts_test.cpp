// What propagation prints: every tensor with the elements of the lattice that its extents have.
#include "lower/facts.h"

#include <gtest/gtest.h>

#include "graph/graph.h"

namespace burin::facts_test {
namespace {

Lowered lowered(const char* text) { return lower(parse_graph(text), {}); }

// A shape chain, a size of the data, and an equation that says what a symbol is.
constexpr const char* kGraph = R"(
  graph "g" file "g.onnx" ir 8
  symbol "n" param 1..64
  symbol "m" param 1..64
  value %0 "x" f32 [n, 6]
  value %1 "w" f32 [m, 6]
  value %2 "s" none ?
  value %3 "t" none ?
  value %4 "sum" none ?
  value %5 "places" none ?
  block "g" (%0, %1) -> (%3, %4, %5) {
    node 0 "shape" Shape@13 (%0) -> (%2)
    node 1 "twice" Concat@13 (%0, %0) -> (%3) { axis: int 0 }
    node 2 "add" Sum@13 (%0, %1) -> (%4)
    node 3 "find" NonZero@13 (%0) -> (%5)
  })";

TEST(Facts, EveryTensorIsALine) {
  const Lowered found = lowered(kGraph);
  const std::string text = facts_text(found.inputs, found.nodes, found.passes);
  const auto has = [&](const std::string& line) { return text.find(line) != std::string::npos; };
  EXPECT_TRUE(has("input 'x' f32 rank 2 [n symbolic, 6 constant]\n")) << text;
  EXPECT_TRUE(has("Shape ISDO 's' i64 rank 1 [2 constant] = {n, 6}")) << text;
  EXPECT_TRUE(has("Concat ISDOS 't' f32 rank 2 [2*n inferred, 6 constant]\n")) << text;
  EXPECT_TRUE(has("NonZero EDO 'places' i64 rank 2 [2 constant, find_count nac <= 6*n]\n")) << text;
}

// Nodes that are alike find the same: one size, not two that may differ.
TEST(Facts, WhatFindsSizesTwiceFindsOne) {
  const Lowered found = lowered(R"(
  graph "g" file "g.onnx" ir 8
  symbol "n" param 1..64
  value %0 "x" f32 [n]
  value %1 "places" none ?
  value %2 "again" none ?
  value %3 "least" none ?
  value %4 "first" none ?
  value %5 "sum" none ?
  block "g" (%0) -> (%3, %4, %5) {
    node 0 "find" NonZero@13 (%0) -> (%1)
    node 1 "find_again" NonZero@13 (%0) -> (%2)
    node 2 "sorted" Unique@11 (%0) -> (%3) { sorted: int 1 }
    node 3 "in_order" Unique@11 (%0) -> (%4) { sorted: int 0 }
    node 4 "add" Add@13 (%1, %2) -> (%5)
  })");
  const std::string text = facts_text(found.inputs, found.nodes, found.passes);
  const auto has = [&](const std::string& line) { return text.find(line) != std::string::npos; };
  EXPECT_TRUE(has("Add ISDOS 'sum' i64 rank 2 [1 constant, find_count nac <= n]")) << text;
  EXPECT_TRUE(has("'first' f32 rank 1 [in_order_")) << text;
}

TEST(Facts, CountsAreThoseOfTheLines) {
  const Lowered found = lowered(kGraph);
  const LatticeCounts counts = count_lattice(found.inputs, found.nodes);
  EXPECT_EQ(counts.nac, 1);
  EXPECT_EQ(counts.inferred, 2);  // twice, and the larger of n and m
  EXPECT_EQ(counts.symbolic, 2);
  EXPECT_EQ(counts.constant, 6);
  EXPECT_EQ(counts.undefined, 0);
}

// Backward: that rows of a product must fit solves for m, and the second pass has one symbol less.
TEST(Facts, AnEquationTakesAPassMore) {
  const Lowered found = lowered(R"(
    graph "g" file "g.onnx" ir 8
    symbol "n" param 1..64
    symbol "m" param 1..64
    value %0 "x" f32 [5, n]
    value %1 "w" f32 [m, 4]
    value %2 "y" none ?
    block "g" (%0, %1) -> (%2) {
      node 0 "product" MatMul@13 (%0, %1) -> (%2)
    })");
  EXPECT_EQ(found.passes, 2);
  EXPECT_EQ(to_string(found.inputs[0].shape[1]), to_string(found.inputs[1].shape[0]));
}

// Two nodes that take a size from the same element have the same size, which leaves nothing open.
TEST(Facts, AnElementIsOneSizeForAllWhoAsk) {
  const Lowered found = lowered(R"(
    graph "g" file "g.onnx" ir 8
    value %0 "k" i64 [1]
    value %1 "a" none ?
    value %2 "b" none ?
    value %3 "y" none ?
    block "g" (%0) -> (%3) {
      node 0 "a" ConstantOfShape@9 (%0) -> (%1)
      node 1 "b" ConstantOfShape@9 (%0) -> (%2)
      node 2 "add" Add@13 (%1, %2) -> (%3)
    })");
  const std::string text = facts_text(found.inputs, found.nodes, found.passes);
  EXPECT_NE(text.find("Add ISDOS 'y' f32 rank 1 [k nac unbounded]"), std::string::npos) << text;
}

}  // namespace
}  // namespace burin::facts_test
