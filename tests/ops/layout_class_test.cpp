// Layout classes and mapping types of operators, read off their accesses, beside SmartMem's Tables
// 3 and 4 and DNNFusion's list; and the tables of pairs. Where a table breaks its own definition,
// `table` says what it says and the reason stands beside it.
#include <gtest/gtest.h>

#include "layout/classes.h"
#include "lower/lower.h"
#include "ops/support/node_runner.h"

namespace burin::layout_class_test {
namespace {

using enum LayoutClass;
using enum Mapping;

struct Found {
  LayoutClass layout;
  Mapping mapping;
};

Found found_of(const NodeTest& node) {
  const Lowered lowered = lower(graph_of(node), {.fold_constants = false});
  std::vector<const Step*> steps;
  for (const Step& step : lowered.graph.steps) {
    // What fills an output from the operator's own result is no part of it.
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel || !kernel->origins.empty()) steps.push_back(&step);
  }
  return {layout_class(steps, lowered.graph.values), mapping_of(steps, lowered.graph.values)};
}

struct Row {
  NodeTest node;
  LayoutClass layout;
  Mapping mapping;
  std::string table = {};  // where the papers differ
};

std::vector<Row> rows() {
  const Argument image = given(counting({2, 4, 6, 6})), matrix = given(counting({4, 6}));
  const auto list = [](std::string name, std::vector<int64_t> numbers) {
    return Attribute{std::move(name), std::move(numbers)};
  };
  const auto numbers = [](std::vector<int64_t> all) { return fixed(ints(std::move(all))); };
  return {
      // SmartMem Table 3: what it samples.
      {{"Conv", 11, {image, given(counting({3, 4, 2, 2}))}}, ild_variable, many_to_many},
      {{"MatMul", 13, {matrix, given(counting({6, 5}))}}, ild_variable, many_to_many},
      {{"LayerNormalization", 17, {matrix, given(counting({6}))}}, ild_variable, many_to_many},
      {{"Softmax", 13, {matrix}}, ild_variable, many_to_many},
      {{"Reshape", 14, {matrix, numbers({3, 8})}}, ild_fixed, reorganize},
      {{"Transpose", 13, {matrix}, {list("perm", {1, 0})}}, ild_fixed, shuffle},
      {{"DepthToSpace", 13, {image}, {{"blocksize", int64_t{2}}}}, ild_fixed, shuffle},
      {{"SpaceToDepth", 13, {image}, {{"blocksize", int64_t{2}}}}, ild_fixed, shuffle},
      {{"Relu", 14, {matrix}}, ili_variable, one_to_one},
      {{"Erf", 13, {matrix}}, ili_variable, one_to_one},
      {{"Add", 14, {matrix, matrix}}, ili_variable, one_to_one},
      // The cell that the text loses, and its like: what is taken is in the order it was in.
      {{"Slice", 13, {matrix, numbers({1}), numbers({3})}}, ili_fixed, one_to_one},
      {{"Concat", 13, {matrix, matrix}, {{"axis", int64_t{0}}}}, ili_fixed, one_to_one},
      {{"Split", 2, {matrix}, {list("split", {1, 3})}, 2}, ili_fixed, one_to_one},
      // Table 4: layouts of the operands are not equal where one is repeated.
      {{"Add", 14, {matrix, given(counting({6}))}}, ild_variable, one_to_many, "ILI & Variable"},
      {{"Mul", 14, {image, given(counting({2, 4, 1, 1}))}},
       ild_variable,
       one_to_many,
       "ILI & Variable"},
      // DNNFusion's list.
      {{"Cast", 13, {matrix}, {{"to", int64_t{7}}}}, ili_variable, one_to_one},
      {{"Where", 16, {given(counting({4, 6}, Type::boolean)), matrix, matrix}},
       ili_variable,
       one_to_one},
      {{"Expand", 13, {given(counting({1, 6})), numbers({4, 6})}}, ili_fixed, one_to_many},
      {{"Gather", 13, {matrix, given(ints({1, 0}))}}, ili_fixed, one_to_many},
      {{"Resize", 13, {image, absent(), fixed(floats({4}, {1, 1, 2, 2}))}}, ili_fixed, one_to_many},
      {{"Tile", 13, {matrix, numbers({1, 3})}}, ili_fixed, one_to_many},
      {{"AveragePool", 19, {image}, {list("kernel_shape", {2, 2})}}, ild_variable, many_to_many},
      {{"ReduceMean", 13, {matrix}, {list("axes", {1})}}, ild_variable, many_to_many},
      {{"Gemm", 13, {matrix, given(counting({6, 5}))}}, ild_variable, many_to_many},
      {{"CumSum", 14, {matrix, numbers({1})}}, ild_variable, many_to_many},
      {{"TopK", 11, {matrix, numbers({2})}, {}, 2}, ild_variable, many_to_many},
      {{"Flatten", 13, {image}}, ild_fixed, reorganize},
      {{"Squeeze", 13, {given(counting({4, 1, 6})), numbers({1})}}, ild_fixed, reorganize},
      {{"Unsqueeze", 13, {matrix, numbers({1})}}, ild_fixed, reorganize},
      // A transpose of one that moves nothing is a reshape.
      {{"Transpose", 13, {given(counting({1, 6}))}, {list("perm", {1, 0})}},
       ild_fixed,
       reorganize,
       "shuffle"},
  };
}

TEST(LayoutClasses, AreThoseOfTheTables) {
  int differ = 0;
  for (const Row& row : rows()) {
    const Found found = found_of(row.node);
    EXPECT_EQ(to_string(found.layout), to_string(row.layout)) << row.node.op;
    EXPECT_EQ(to_string(found.mapping), to_string(row.mapping)) << row.node.op;
    differ += !row.table.empty();
    EXPECT_NE(row.table, to_string(found.layout)) << row.node.op;
    EXPECT_NE(row.table, to_string(found.mapping)) << row.node.op;
  }
  EXPECT_EQ(differ, 3);
}

// A constant can be laid out in any way: a bias does not make the addition depend on a layout.
TEST(LayoutClasses, ConstantsAreFree) {
  const NodeTest node{"Add", 14, {given(counting({4, 6})), fixed(counting({6}))}};
  EXPECT_EQ(found_of(node).layout, ili_variable);
  EXPECT_EQ(found_of(node).mapping, one_to_one);
}

// Tables 5 and 6, cell by cell.
TEST(LayoutClasses, PairsAreThoseOfTables5And6) {
  using enum LayoutAction;
  const std::vector<LayoutClass> order = {ild_variable, ili_variable, ild_fixed, ili_fixed};
  const LayoutAction actions[4][4] = {
      {keep_both, try_fuse, eliminate_second, eliminate_second},
      {try_fuse, try_fuse, eliminate_second, eliminate_second},
      {eliminate_first, eliminate_first, eliminate_both, eliminate_both},
      {eliminate_first, eliminate_first, eliminate_both, eliminate_both},
  };
  const auto left = [](LayoutSearch search, LayoutClass one) {
    return LayoutResult{search, one, true};
  };
  const LayoutResult searched[4][4] = {
      {left(LayoutSearch::both, ild_variable), left(LayoutSearch::fused, ild_variable),
       left(LayoutSearch::first, ild_variable), left(LayoutSearch::first, ild_variable)},
      {left(LayoutSearch::fused, ild_variable), left(LayoutSearch::none, ili_variable),
       left(LayoutSearch::none, ili_variable), left(LayoutSearch::none, ili_variable)},
      {left(LayoutSearch::second, ild_variable), left(LayoutSearch::none, ili_variable), {}, {}},
      {left(LayoutSearch::second, ild_variable), left(LayoutSearch::none, ili_variable), {}, {}},
  };
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < 4; ++b) {
      EXPECT_EQ(action_of(order[a], order[b]), actions[a][b]) << a << " " << b;
      const LayoutResult result = result_of(order[a], order[b]);
      EXPECT_EQ(result.is_defined, a < 2 || b < 2);
      if (!result.is_defined) continue;
      EXPECT_EQ(result, searched[a][b]) << a << " " << b;
    }
  }
}

// DNNFusion's rules in words: one-to-one goes with everything, movement with movement; what is
// repeated or reduced never goes into many uses.
TEST(LayoutClasses, PairsOfMappings) {
  for (const Mapping one : {one_to_one, one_to_many, many_to_many, reorganize, shuffle}) {
    EXPECT_EQ(pair_of(one_to_one, one), (MappingPair{Fusion::always, one}));
    EXPECT_EQ(pair_of(one, one_to_one), (MappingPair{Fusion::always, one}));
    EXPECT_EQ(pair_of(one, many_to_many).fused, many_to_many);
    EXPECT_EQ(pair_of(many_to_many, one).fused, many_to_many);
  }
  EXPECT_EQ(pair_of(many_to_many, many_to_many).fusion, Fusion::never);
  EXPECT_EQ(pair_of(one_to_many, many_to_many).fusion, Fusion::never);
  EXPECT_EQ(pair_of(shuffle, many_to_many).fusion, Fusion::profile);
  EXPECT_EQ(pair_of(many_to_many, shuffle).fusion, Fusion::profile);
  EXPECT_EQ(pair_of(reorganize, shuffle), (MappingPair{Fusion::always, reorganize}));
  EXPECT_EQ(pair_of(shuffle, shuffle), (MappingPair{Fusion::always, shuffle}));
  EXPECT_EQ(pair_of(one_to_many, shuffle), (MappingPair{Fusion::profile, one_to_many}));
}

}  // namespace
}  // namespace burin::layout_class_test
