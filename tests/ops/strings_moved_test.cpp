// What only moves elements moves strings: each operator of which the specification says so.
#include <gtest/gtest.h>

#include "ops/support/node_runner.h"
#include "ops/support/string_tensors.h"
#include "support/diagnostics.h"

namespace burin::strings_moved_test {
namespace {

using Integers = std::vector<int64_t>;

struct Moved {
  const char* node;
  Strings declared;
  std::vector<HostTensor> inputs;
  Integers shape;
  Strings wanted;
};

HostTensor whole_numbers(const Integers& shape, const Integers& numbers) {
  return make_tensor(Type::i64, shape, numbers);
}

HostTensor letters(const Integers& shape) {
  Strings all;
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  for (int64_t k = 0; k < count; ++k) all.emplace_back(1, static_cast<char>('a' + k));
  return bytes_of_strings(shape, all);
}

TEST(StringsMoved, EachOperatorOfOneNode) {
  const HostTensor six = bytes_of_strings({2, 3}, {"a", "bc", "", "d\u00e9f", "\u4e2d", "g"});
  const Strings rows = {"string [n, 3]"};
  const HostTensor chosen = make_tensor(Type::boolean, {3}, Integers{1, 0, 1});
  const std::vector<Moved> all = {
      {"ScatterND@18",
       {"string [n, 3]", "i64 [1, 1]", "string [1, 3]"},
       {six, whole_numbers({1, 1}, {1}), bytes_of_strings({1, 3}, {"x", "", "yz"})},
       {2, 3},
       {"a", "bc", "", "x", "", "yz"}},
      {"ScatterElements@18 { axis: int 1 }",
       {"string [n, 3]", "i64 [2, 1]", "string [2, 1]"},
       {six, whole_numbers({2, 1}, {-1, 0}), bytes_of_strings({2, 1}, {"x", "y"})},
       {2, 3},
       {"a", "bc", "x", "y", "\u4e2d", "g"}},
      {"Scatter@9",
       {"string [n, 3]", "i64 [1, 1]", "string [1, 1]"},
       {six, whole_numbers({1, 1}, {1}), bytes_of_strings({1, 1}, {"x"})},
       {2, 3},
       {"a", "bc", "", "x", "\u4e2d", "g"}},
      {"TensorScatter@24 { axis: int 1 }",
       {"string [n, 3]", "string [n, 1]", "i64 [n]"},
       {six, bytes_of_strings({2, 1}, {"x", "y"}), whole_numbers({2}, {2, 0})},
       {2, 3},
       {"a", "bc", "x", "y", "\u4e2d", "g"}},
      {"Pad@18",
       {"string [n, 3]", "i64 [4]", "string []"},
       {six, whole_numbers({4}, {0, 1, 1, -1}), bytes_of_strings({}, {"+"})},
       {3, 3},
       {"+", "a", "bc", "+", "d\u00e9f", "\u4e2d", "+", "+", "+"}},
      {"Pad@18",
       {"string [n, 3]", "i64 [4]"},
       {six, whole_numbers({4}, {0, 1, 0, -1})},
       {2, 3},
       {"", "a", "bc", "", "d\u00e9f", "\u4e2d"}},
      {"Pad@18 { mode: string \"reflect\" }",
       {"string [n, 3]", "i64 [4]"},
       {six, whole_numbers({4}, {0, 1, 0, 0})},
       {2, 4},
       {"bc", "a", "bc", "", "\u4e2d", "d\u00e9f", "\u4e2d", "g"}},
      {"CenterCropPad@18",
       {"string [n, 3]", "i64 [2]"},
       {six, whole_numbers({2}, {4, 1})},
       {4, 1},
       {"", "bc", "\u4e2d", ""}},
      {"OneHot@11",
       {"i64 [n]", "i64 []", "string [2]"},
       {whole_numbers({2}, {1, -3}), whole_numbers({}, {3}), list_of_strings({"no", "yes"})},
       {2, 3},
       {"no", "yes", "no", "yes", "no", "no"}},
      {"Trilu@14 { upper: int 0 }", rows, {six}, {2, 3}, {"a", "", "", "d\u00e9f", "\u4e2d", ""}},
      {"DepthToSpace@13 { blocksize: int 2 }",
       {"string [1, 4, 1, n]"},
       {letters({1, 4, 1, 2})},
       {1, 1, 2, 4},
       {"a", "c", "b", "d", "e", "g", "f", "h"}},
      {"SpaceToDepth@13 { blocksize: int 2 }",
       {"string [1, 1, 2, n]"},
       {letters({1, 1, 2, 4})},
       {1, 4, 1, 2},
       {"a", "c", "b", "d", "e", "g", "f", "h"}},
      {"Compress@11 { axis: int 1 }",
       {"string [n, 3]", "boolean [3]"},
       {six, chosen},
       {2, 2},
       {"a", "", "d\u00e9f", "g"}},
      {"Compress@11", {"string [n, 3]", "boolean [3]"}, {six, chosen}, {2}, {"a", ""}},
  };
  for (const Moved& one : all) {
    const RunResult result = run_node_of_strings(one.declared, one.node, one.inputs);
    ASSERT_EQ(result.outputs.size(), 1U) << one.node;
    Integers shape = one.shape;
    shape.push_back(kBytesOfAString);
    EXPECT_EQ(result.outputs[0].shape, shape) << one.node;
    EXPECT_EQ(text_of(result.outputs[0]), one.wanted) << one.node;
  }
}

// By bytes, as UTF-8 orders code points: "B" before "a" before letters beyond ASCII.
TEST(StringsMoved, UniqueOnesAreOrderedByTheirBytes) {
  const HostTensor words = list_of_strings({"b", "\u00e9", "", "ab", "b", "a", "B", ""});
  const RunResult sorted = run_node_of_strings({"string [n]"}, "Unique@11", {words}, 4);
  EXPECT_EQ(text_of(sorted.outputs[0]), (Strings{"", "B", "a", "ab", "b", "\u00e9"}));
  EXPECT_EQ(numbers_of(sorted.outputs[1]), (std::vector<double>{2, 6, 5, 3, 0, 1}));
  EXPECT_EQ(numbers_of(sorted.outputs[2]), (std::vector<double>{4, 5, 0, 3, 4, 2, 1, 0}));
  EXPECT_EQ(numbers_of(sorted.outputs[3]), (std::vector<double>{2, 1, 1, 1, 2, 1}));
  const RunResult first =
      run_node_of_strings({"string [n]"}, "Unique@11 { sorted: int 0 }", {words}, 1);
  EXPECT_EQ(text_of(first.outputs[0]), (Strings{"b", "\u00e9", "", "ab", "a", "B"}));
  const HostTensor pairs = bytes_of_strings({3, 2}, {"a", "c", "a", "b", "a", "c"});
  const RunResult slices =
      run_node_of_strings({"string [n, 2]"}, "Unique@11 { axis: int 0 }", {pairs}, 2);
  EXPECT_EQ(text_of(slices.outputs[0]), (Strings{"a", "b", "a", "c"}));
  EXPECT_EQ(numbers_of(slices.outputs[1]), (std::vector<double>{1, 0}));
}

TEST(StringsMoved, SumsOfStringsAreRefused) {
  const auto with = [](const std::string& node) {
    return run_node_of_strings(
        {"string [n]", "i64 [1]", "string [1]"}, node,
        {list_of_strings({"a"}), whole_numbers({1}, {0}), list_of_strings({"b"})});
  };
  EXPECT_THROW(with("ScatterElements@18 { reduction: string \"add\" }"), Refused);
  EXPECT_THROW(with("ScatterElements@18 { reduction: string \"max\" }"), Refused);
}

// x [2, 3] and z [1, 3]: sequences that are built, split, mapped over and joined again.
TEST(StringsMoved, Sequences) {
  const std::string graph = R"(graph "g" file "g.onnx" ir 8
symbol "n" param 1..9
value %0 "x" string [n, 3]
value %1 "z" string [1, 3]
value %2 "pair" none ?
value %3 "all" none ?
value %4 "joined" none ?
value %5 "columns" none ?
value %6 "at" i64 []
value %7 "column" none ?
block "g" (%0, %1, %6) -> (%4, %7) {
  node 0 "pair" SequenceConstruct@11 (%0, %1) -> (%2)
  node 1 "all" SequenceInsert@11 (%2, %0) -> (%3)
  node 2 "joined" ConcatFromSequence@11 (%3) -> (%4) { axis: int 0 }
  node 3 "columns" SplitToSequence@11 (%0) -> (%5) {
    axis: int 1
    keepdims: int 0
  }
  node 4 "column" SequenceAt@11 (%5, %6) -> (%7)
})";
  const RunResult result = run_graph_of_strings(
      graph, {letters({2, 3}), bytes_of_strings({1, 3}, {"x", "", "z"}), whole_numbers({}, {1})});
  EXPECT_EQ(text_of(result.outputs[0]),
            (Strings{"a", "b", "c", "d", "e", "f", "x", "", "z", "a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(text_of(result.outputs[1]), (Strings{"b", "e"}));
}

// The state of a loop, and what each of its turns gives.
TEST(StringsMoved, LoopsAndBranches) {
  const std::string loop = R"(graph "g" file "g.onnx" ir 8
symbol "n" param 1..9
value %0 "x" string [n, 3]
value %1 "trips" i64 []
value %2 "first" string [3]
value %3 "last" none ?
value %4 "rows" none ?
value %5 "i" i64 []
value %6 "go" boolean []
value %7 "kept" string [3]
value %8 "row" none ?
value %9 "next" none ?
value %10 "which" boolean [3] = boolean [3] {1, 0, 1}
value %11 "same" none ?
block "g" (%0, %1, %2) -> (%3, %4) {
  node 0 "loop" Loop@16 (%1, -, %2) -> (%3, %4) {
    body: block "body" (%5, %6, %7) -> (%11, %9, %8) {
      node 0 "row" Gather@13 (%0, %5) -> (%8)
      node 1 "next" Where@9 (%10, %8, %7) -> (%9)
      node 2 "same" Identity@16 (%6) -> (%11)
    }
  }
})";
  const RunResult turns = run_graph_of_strings(
      loop, {letters({3, 3}), whole_numbers({}, {2}), list_of_strings({"s", "t", "u"})});
  EXPECT_EQ(text_of(turns.outputs[0]), (Strings{"d", "t", "f"}));
  EXPECT_EQ(text_of(turns.outputs[1]), (Strings{"a", "b", "c", "d", "e", "f"}));
  const std::string branch = R"(graph "g" file "g.onnx" ir 8
symbol "n" param 1..9
value %0 "x" string [n, 3]
value %1 "which" boolean []
value %2 "y" none ?
value %3 "whole" none ?
value %4 "turned" none ?
value %5 "by" i64 [4] = i64 [4] {0, 1, 0, -1}
block "g" (%0, %1) -> (%2) {
  node 0 "if" If@16 (%1) -> (%2) {
    then_branch: block "then" () -> (%3) {
      node 0 "whole" Identity@16 (%0) -> (%3)
    }
    else_branch: block "else" () -> (%4) {
      node 0 "turned" Pad@19 (%0, %5) -> (%4) { mode: string "wrap" }
    }
  }
})";
  for (const int64_t whole : {0, 1}) {
    const RunResult result = run_graph_of_strings(
        branch, {letters({2, 3}), make_tensor(Type::boolean, {}, Integers{whole})});
    EXPECT_EQ(text_of(result.outputs[0]), whole ? (Strings{"a", "b", "c", "d", "e", "f"})
                                                : (Strings{"b", "a", "b", "e", "d", "e"}));
  }
}

}  // namespace
}  // namespace burin::strings_moved_test
