// The text of graphs: parse(print(g)) == g, for graphs made here and for every model of the ONNX
// project's test data; and what the parser refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "graph/graph.h"
#include "import/import.h"
#include "support/refusal.h"

namespace burin::graph_text_test {
namespace {

template <class Element>
Tensor make_tensor(Type type, std::vector<int64_t> shape, const std::vector<Element>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(Element));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return {type, std::move(shape), make_constant(std::move(bytes)), {}};
}

Symbol make_symbol(std::string name, SymbolOrigin origin, int64_t min, int64_t max, int64_t hint) {
  return std::make_shared<const SymbolInfo>(SymbolInfo{std::move(name), origin, min, max, hint});
}

// One of everything that a graph can hold.
Graph rich_graph() {
  Graph graph;
  graph.name = "a \"graph\"\n*/";
  graph.file = "dir/model.onnx";
  graph.ir_version = 8;
  graph.symbols = {make_symbol("N", SymbolOrigin::param, 1, 512, 128),
                   make_symbol("i3", SymbolOrigin::param, 1, kUnbounded, 0)};
  const Dim n = Index::symbol(graph.symbols[0]), i3 = Index::symbol(graph.symbols[1]);
  const Dim open = Index::symbol(make_symbol("h?0", SymbolOrigin::unknown, 0, kUnbounded, 0));
  const auto add = [&](std::string name, Type type, std::optional<std::vector<Dim>> shape) {
    graph.values.push_back({std::move(name), type, std::move(shape), std::nullopt, ""});
    return static_cast<GraphValueId>(graph.values.size() - 1);
  };
  const auto x = add("x", Type::f32, {{n, 2 * i3 + 1, floordiv(n, 2)}});
  const auto w = add("w", Type::f32, {{2, 3}});
  graph.values.back().constant =
      make_tensor<float>(Type::f32, {2, 3},
                         {0.1f, -0.0f, std::numeric_limits<float>::infinity(), 1e-45f,
                          std::bit_cast<float>(0x7fc00123u), -3.25e38f});
  const auto h = add("h", Type::none, {{open, max(n, i3)}});
  const auto seq = add("seq", Type::none, std::nullopt);
  graph.values.back().container = "sequence";
  const auto condition = add("c", Type::boolean, {std::vector<Dim>{}});
  const auto inner = add("y", Type::f16, std::nullopt), y = add("y", Type::i4, {{0}});

  Block body;
  body.name = "body";
  body.inputs = {condition};
  body.nodes = {{"", "Neg", "", 13, 0, {x}, {inner}, {}}};
  body.outputs = {inner, x};
  Node loop{"l'oop", "Loop", "com.microsoft", 1, 7, {kAbsent, w, h}, {y, kAbsent}, {}};
  loop.attributes = {
      {"body", std::make_shared<const Block>(body)},
      {"node", int64_t{-9223372036854775807 - 1}},
      {"a b", 0.1f},
      {"nan", std::bit_cast<float>(0xffc00001u)},
      {"mode", std::string("x\0\xff\"\\", 5)},
      {"axes", std::vector<int64_t>{0, -1}},
      {"none", std::vector<int64_t>{}},
      {"scales", std::vector<float>{1, -0.0f, 1e20f}},
      {"keys", std::vector<std::string>{"", "a,b"}},
      {"half", make_tensor<uint16_t>(Type::f16, {2}, {0x3c00, 0xfc00})},
      {"f64", make_tensor<double>(Type::f64, {}, {0.1})},
      {"nibbles", make_tensor<uint8_t>(Type::i4, {3}, {0x8f, 0x07})},
      {"bytes", make_tensor<int8_t>(Type::i8, {1, 2}, {-128, 127})},
      {"big", make_tensor<uint64_t>(Type::u64, {1}, {~uint64_t{0}})},
      {"flags", make_tensor<uint8_t>(Type::boolean, {2}, {0, 1})},
      {"text", Tensor{Type::string, {2}, {}, {"a", "}\n"}}},
      {"empty", make_tensor<float>(Type::f32, {0, 5}, {})},
  };
  graph.block.name = graph.name;
  graph.block.inputs = {x, seq};
  graph.block.nodes = {{"first", "Shape", "", 15, 3, {x}, {h}, {}}, loop};
  graph.block.outputs = {y, y, x, w};
  return graph;
}

TEST(GraphText, RoundTripOfEverything) {
  const Graph graph = rich_graph();
  check_graph(graph);
  const std::string text = to_string(graph);
  const Graph again = parse_graph(text);
  EXPECT_EQ(to_string(again), text);
  EXPECT_TRUE(again == graph) << text;
}

TEST(GraphText, EqualityIsExact) {
  const Graph graph = rich_graph();
  const auto differs = [&](auto&& change) {
    Graph other = graph;
    change(other);
    return !(other == graph);
  };
  EXPECT_TRUE(differs([](Graph& g) { g.block.nodes[1].attributes[2].value = 0.2f; }));
  EXPECT_TRUE(differs([](Graph& g) { g.block.nodes[1].attributes[1].value = 1.0f; }));
  EXPECT_TRUE(differs([](Graph& g) { g.block.nodes[1].attributes.pop_back(); }));
  EXPECT_TRUE(differs([](Graph& g) { g.values[1].constant->shape = {3, 2}; }));
  EXPECT_TRUE(differs([](Graph& g) { g.values[0].shape->pop_back(); }));
  EXPECT_TRUE(differs([](Graph& g) { g.block.outputs.pop_back(); }));
  EXPECT_TRUE(
      differs([](Graph& g) { g.symbols[0] = make_symbol("N", SymbolOrigin::param, 1, 511, 128); }));
  EXPECT_TRUE(differs([](Graph& g) {
    Block body = *std::get<std::shared_ptr<const Block>>(g.block.nodes[1].attributes[0].value);
    body.nodes[0].op = "Abs";
    g.block.nodes[1].attributes[0].value = std::make_shared<const Block>(body);
  }));
  EXPECT_FALSE(differs([](Graph& g) {
    Block body = *std::get<std::shared_ptr<const Block>>(g.block.nodes[1].attributes[0].value);
    g.block.nodes[1].attributes[0].value = std::make_shared<const Block>(body);
  }));
}

TEST(GraphText, LargeConstantsAreHashes) {
  const Graph graph = rich_graph();
  const std::string text = to_string(graph, 2);
  EXPECT_NE(text.find("f32 [2, 3] {hash 0x"), std::string::npos) << text;
  EXPECT_NE(
      refusal([&] { parse_graph(text); }).find("a constant of which only the hash is left [parse]"),
      std::string::npos);
}

TEST(GraphText, ReadsAsPeopleWriteIt) {
  const Graph graph = parse_graph(R"(
    graph "relu" file "relu.onnx" ir 8
    symbol N param 1..inf @8        # the batch
    value %0 "x" f32 [N, 4]
    value %1 "y" none ?
    block "relu" (%0) -> (%1) {
      node 0 "act" Relu@14 (%0) -> (%1)
    })");
  check_graph(graph);
  ASSERT_EQ(graph.block.nodes.size(), 1u);
  EXPECT_EQ(graph.block.nodes[0].op, "Relu");
  EXPECT_EQ(graph.block.nodes[0].version, 14);
  EXPECT_EQ(to_string(*graph.values[0].shape), "[N, 4]");
  EXPECT_EQ(graph.symbols[0]->hint, 8);
  EXPECT_FALSE(graph.values[1].shape);
}

TEST(GraphText, Refusals) {
  const auto line = [](const std::string& body) {
    return refusal([&] { parse_graph("graph \"g\" file \"f\" ir 8\n" + body); });
  };
  EXPECT_EQ(line(""), ":2:1: error: expected 'block' [parse]");
  EXPECT_EQ(line("value %1 \"x\" f32 []"),
            ":2:9: error: values are not numbered from 0 in steps of 1 [parse]");
  EXPECT_EQ(line("value %0 \"x\" f32 [M]"), ":2:20: error: unknown symbol 'M' [parse]");
  EXPECT_EQ(line("value %0 \"x\" f33 []"), ":2:17: error: unknown element type [parse]");
  EXPECT_EQ(line("value %0 \"x\" i8 [] = i8 [] {128}"),
            ":2:32: error: not a number of this type [parse]");
  const std::string values = "value %0 \"x\" f32 []\nvalue %1 \"y\" f32 []\n";
  EXPECT_EQ(line(values + "block \"g\" (%0) -> (%1) {\n}"),
            ":5:2: error: a result that is not defined [parse]");
  EXPECT_EQ(line(values + "block \"g\" (%0) -> (%0) {\nnode 0 \"\" Neg@1 (%1) -> (%1)\n}"),
            ":5:20: error: a value that is not defined here [parse]");
  EXPECT_EQ(line(values + "block \"g\" (%0) -> (%0) {\nnode 0 \"\" Neg@1 (%0) -> (%0)\n}"),
            ":5:28: error: a value that is defined twice [parse]");
  EXPECT_EQ(line(values + "block \"g\" (%0) -> (%2) {}"),
            ":4:22: error: a value that does not exist [parse]");
  // The body of a node does not see the node's own outputs.
  EXPECT_EQ(line(values + "block \"g\" (%0) -> (%0) {\nnode 0 \"\" If@1 (%0) -> (%1) {\n"
                          "body: block \"b\" () -> (%1) {}\n}\n}"),
            ":6:30: error: a result that is not defined [parse]");
}

TEST(GraphText, RoundTripOfTheOnnxTestData) {
  const std::filesystem::path root = "/usr/share/libonnx-testdata/data/node";
  ASSERT_TRUE(std::filesystem::is_directory(root))
      << root << " is missing; install libonnx-testdata";
  int models = 0;
  std::vector<std::string> failures;
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    const std::string path = (folder.path() / "model.onnx").string();
    if (!std::filesystem::exists(path)) continue;
    try {
      const Graph graph = import_model(path);
      ++models;
      const std::string text = to_string(graph, std::numeric_limits<int64_t>::max());
      if (!(parse_graph(text) == graph)) failures.push_back(path);
    } catch (const Refused&) {
      // import_testdata_test lists what is refused
    }
  }
  EXPECT_GE(models, 900);
  EXPECT_EQ(failures, std::vector<std::string>());
}

}  // namespace
}  // namespace burin::graph_text_test
