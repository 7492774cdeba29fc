// What import makes of good models, as the text of the graph.
#include <gtest/gtest.h>

#include <algorithm>

#include "import/import.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_model_test {
namespace {

using namespace onnx_writer;  // NOLINT

std::string text_of(const GraphParts& parts, const std::vector<Message>& functions = {},
                    const ImportOptions& options = {}) {
  const Graph graph =
      import_model_bytes(model(onnx_writer::graph(parts), functions).bytes(), "m.onnx", options);
  EXPECT_TRUE(parse_graph(to_string(graph)) == graph);
  return to_string(graph);
}

TEST(ImportModel, Relu) {
  EXPECT_EQ(text_of(relu_parts()), R"(graph "g" file "m.onnx" ir 8
symbol N param 1..inf
value %0 "x" f32 [N, 4]
value %1 "y" f32 [N, 4]
block "g" (%0) -> (%1) {
  node 0 "act" Relu@17 (%0) -> (%1)
}
)");
}

TEST(ImportModel, InitializersAsInputsAndOutputs) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Add", {"x", "w"}, {"y"})};
  parts.initializers = {floats("w", {1, 2})};
  parts.inputs.push_back(value("w", kFloat, {2}));  // as before IR version 4
  // The initializer, the input, the output twice.
  parts.outputs = {value("w", kFloat, {2}), value("x", kFloat, {}), value("y", kFloat, {}),
                   value("y", kFloat, {})};
  EXPECT_EQ(text_of(parts), R"(graph "g" file "m.onnx" ir 8
symbol N param 1..inf
value %0 "w" f32 [2] = f32 [2] {1, 2}
value %1 "x" f32 [N, 4]
value %2 "y" f32 []
block "g" (%1) -> (%0, %1, %2, %2) {
  node 0 "" Add@17 (%1, %0) -> (%2)
}
)");
}

TEST(ImportModel, OptionalInputsDeadNodesAndEqualNames) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Clip", {"x", "", "x"}, {"y", "", "z"}, {}, "same"),
                 node("Constant", {}, {"c"}, {tensor_attribute("value", floats("", {1}))}, "same"),
                 node("Neg", {"c"}, {"dead"}, {}, "same", "ai.onnx")};
  EXPECT_EQ(text_of(parts), R"(graph "g" file "m.onnx" ir 8
symbol N param 1..inf
value %0 "x" f32 [N, 4]
value %1 "y" f32 [N, 4]
value %2 "z" none ?
value %3 "c" none ?
value %4 "dead" none ?
block "g" (%0) -> (%1) {
  node 0 "same" Clip@17 (%0, -, %0) -> (%1, -, %2)
  node 1 "same" Constant@17 () -> (%3) {
    value: tensor f32 [1] {1}
  }
  node 2 "same" Neg@17 (%3) -> (%4)
}
)");
}

// The order nearest to the file's; what a nested block uses counts.
TEST(ImportModel, UnsortedNodes) {
  GraphParts parts = relu_parts();
  const Message body = graph({.nodes = {node("Neg", {"a"}, {"n"})},
                              .initializers = {},
                              .inputs = {},
                              .outputs = {value("n", kFloat, {})}});
  parts.nodes = {node("If", {"x"}, {"y"}, {graph_attribute("then_branch", body)}),
                 node("Abs", {"b"}, {"a"}), node("Exp", {"x"}, {"b"}), node("Log", {"x"}, {"c"})};
  const Graph graph = import_model_bytes(model(onnx_writer::graph(parts)).bytes(), "m.onnx");
  std::string order;
  for (const Node& node : graph.block.nodes) order += node.op + std::to_string(node.number) + " ";
  EXPECT_EQ(order, "Exp2 Abs1 If0 Log3 ");
}

TEST(ImportModel, NestedBlocks) {
  GraphParts parts = relu_parts();
  GraphParts body{
      .nodes = {node("Add", {"v", "x"}, {"out"}, {}, "in")},
      .initializers = {floats("k", {3})},
      .inputs = {value("i", kInt64, {}), value("c", kBool, {}), value("v", kFloat, {"N"})},
      .outputs = {value("c", kBool, {}), value("out", kFloat, {"?"}), value("k", kFloat, {1})}};
  body.name = "body";
  parts.nodes = {
      node("Loop", {"", "", "x"}, {"y"}, {graph_attribute("body", graph(body))}, "loop")};
  EXPECT_EQ(text_of(parts), R"(graph "g" file "m.onnx" ir 8
symbol N param 1..inf
local "out?0" unknown 0..inf
local "v?0" unknown 0..inf
value %0 "x" f32 [N, 4]
value %1 "y" f32 [N, 4]
value %2 "k" f32 [1] = f32 [1] {3}
value %3 "i" i64 []
value %4 "c" boolean []
value %5 "v" f32 ["v?0"]
value %6 "out" f32 ["out?0"]
block "g" (%0) -> (%1) {
  node 0 "loop" Loop@17 (-, -, %0) -> (%1) {
    body: block "body" (%3, %4, %5) -> (%4, %6, %2) {
      node 0 "in" Add@17 (%5, %0) -> (%6)
    }
  }
}
)");
}

// A formal input or an initializer of a body may hide an outer value.
TEST(ImportModel, Shadowing) {
  GraphParts parts = relu_parts();
  const Message body = graph({.nodes = {node("Add", {"x", "y"}, {"o"})},
                              .initializers = {floats("y", {1})},
                              .inputs = {value("x", kFloat, {})},
                              .outputs = {value("o", kFloat, {})}});
  parts.nodes = {node("Scan", {"x"}, {"y"}, {graph_attribute("body", body)})};
  const Graph graph = import_model_bytes(model(onnx_writer::graph(parts)).bytes(), "m.onnx");
  const Node& scan = graph.block.nodes[0];
  const auto& inner = *std::get<std::shared_ptr<const Block>>(scan.find("body")->value);
  EXPECT_EQ(inner.nodes[0].inputs[0], inner.inputs[0]);
  EXPECT_NE(inner.inputs[0], graph.block.inputs[0]);
  EXPECT_TRUE(graph.values[static_cast<size_t>(inner.nodes[0].inputs[1])].constant);
}

std::vector<std::string> inputs_of(const Graph& graph) {
  std::vector<std::string> inputs;
  for (const GraphValueId id : graph.block.inputs) {
    const GraphValue& input = graph.values[static_cast<size_t>(id)];
    inputs.push_back(input.name + " " + to_string(*input.shape));
  }
  return inputs;
}

// Inputs that are sequences or optionals become their tensors; every one has sizes of its own.
TEST(ImportModel, ContainersAndUnknownTypes) {
  GraphParts parts = relu_parts();
  const Message shape =
      Message().message(1, Message().text(2, "N")).message(1, Message().integer(1, 3));
  const Message tensor_type = Message().message(1, Message().integer(1, kFloat).message(2, shape));
  const auto typed = [&](std::string_view name, int kind) {
    const Message container = Message().message(kind, Message().message(1, tensor_type));
    return Message().text(1, name).message(2, container);
  };
  parts.inputs.push_back(typed("seq", 4));
  parts.inputs.push_back(typed("opt", 9));
  parts.value_infos = {value("unrelated", kFloat, {1}), value("h", kComplex64, {1})};
  parts.nodes = {node("Relu", {"x"}, {"y"}), node("DFT", {"x"}, {"h"})};
  const std::string bytes = model(onnx_writer::graph(parts)).bytes();
  ImportOptions options;
  options.dims = {parse_dim_binding("seq=2"), parse_dim_binding("opt=0")};
  const Graph graph = import_model_bytes(bytes, "m.onnx", options);
  EXPECT_EQ(inputs_of(graph),
            (std::vector<std::string>{"x [N, 4]", "seq_0 [seq_0_0, 3]", "seq_1 [seq_1_0, 3]"}));
  EXPECT_EQ(graph.block.nodes[0].op, "SequenceConstruct");
  EXPECT_EQ(graph.block.nodes[0].inputs.size(), 2U);
  EXPECT_EQ(graph.block.nodes[1].op, "Optional");
  EXPECT_TRUE(graph.block.nodes[1].inputs.empty());
  const auto h = std::find_if(graph.values.begin(), graph.values.end(),
                              [](const GraphValue& value) { return value.name == "h"; });
  ASSERT_NE(h, graph.values.end());
  EXPECT_EQ(h->type, Type::none);

  // Without a number they are a tensor each, and the extents of what a sequence holds.
  const Graph open = import_model_bytes(bytes, "m.onnx", {});
  EXPECT_EQ(inputs_of(open), (std::vector<std::string>{"x [N, 4]", "seq [seq_total, 3]",
                                                       "seq_extents [seq]", "opt [opt, N, 3]"}));
  EXPECT_EQ(open.block.nodes[0].op, "Items");
  EXPECT_EQ(open.block.nodes[1].op, "Items");
  const std::string text = to_string(open, 1000);
  EXPECT_NE(text.find("symbol seq param 0..inf\n"), std::string::npos) << text;
  EXPECT_NE(text.find("symbol opt param 0..1\n"), std::string::npos) << text;
  EXPECT_EQ(parse_graph(text), open);
  options.dims = {parse_dim_binding("seq=0..8@4"), parse_dim_binding("opt=0..1")};
  EXPECT_NE(to_string(import_model_bytes(bytes, "m.onnx", options), 1000)
                .find("symbol seq param 0..8 @4\n"),
            std::string::npos);
}

// Calls of calls, attributes handed on and defaulted, names with prefixes, outputs that are inputs.
TEST(ImportModel, Functions) {
  const Message inner =
      function("Inner", {"a", "b"}, {"r"},
               {node("LeakyRelu", {"a"}, {"t"}, {reference("alpha", kReal, "slope")}, "leaky"),
                node("Clip", {"t", "b"}, {"r"}, {reference("gone", kReal, "gone")})},
               {"slope", "gone"});
  const Message outer = function(
      "Outer", {"p"}, {"q", "p", "q"},
      {node("Inner", {"p"}, {"m"}, {reference("slope", kReal, "beta")}, "one", "local"),
       node("Inner", {"m", "p"}, {"q"}, {attribute("slope", kReal).real(2, 2)}, "", "local")},
      {}, {attribute("beta", kReal).real(2, 0.5f)});
  GraphParts parts = relu_parts();
  parts.nodes = {node("Relu", {"x"}, {"call/one/t"}),
                 node("Outer", {"x"}, {"y", "copy", "again"}, {}, "call", "local")};
  EXPECT_EQ(text_of(parts, {inner, outer}), R"(graph "g" file "m.onnx" ir 8
symbol N param 1..inf
value %0 "x" f32 [N, 4]
value %1 "call/one/t" none ?
value %2 "y" f32 [N, 4]
value %3 "copy" none ?
value %4 "again" none ?
value %5 "call/m" none ?
value %6 "call/one/t_2" none ?
value %7 "y/t" none ?
block "g" (%0) -> (%2) {
  node 0 "" Relu@17 (%0) -> (%1)
  node 1 "call/one/leaky" LeakyRelu@17 (%0) -> (%6) {
    alpha: float 0.5
  }
  node 1 "call/one/Clip" Clip@17 (%6, -) -> (%5)
  node 1 "y/leaky" LeakyRelu@17 (%5) -> (%7) {
    alpha: float 2
  }
  node 1 "y/Clip" Clip@17 (%7, %0) -> (%2)
  node 1 "call/p" "burin.import" Copy@1 (%0) -> (%3)
  node 1 "call/q" "burin.import" Copy@1 (%2) -> (%4)
}
)");
}

// Metadata of every message is let through.
TEST(ImportModel, Metadata) {
  const Message entry = Message().text(1, "k").text(2, "v");
  GraphParts parts = relu_parts();
  parts.nodes[0].text(6, "doc").message(9, entry).message(10, entry);
  parts.inputs[0].text(3, "doc").message(4, entry);
  Message body = graph(parts);
  body.text(10, "doc").message(14, entry).message(16, entry);
  Message whole = model(body);
  whole.text(2, "p").text(3, "1").text(4, "d").integer(5, 1).text(6, "doc").message(14, entry);
  whole.message(20, entry).message(26, entry);
  EXPECT_EQ(import_model_bytes(whole.bytes(), "m.onnx").block.nodes.size(), 1u);
}

// Names arrive as they are and are quoted in what is said about them.
TEST(ImportModel, Canaries) {
  const std::string canary(
      "*/\n\"'\\ ?"
      "?/ %s \xff\xe2\x80\xae\0 ../x",
      22);
  GraphParts parts = relu_parts();
  parts.name = canary + "graph";
  parts.inputs = {value(canary + "in", kFloat, {Size((canary + "dim").substr(0, 12).c_str()), 4})};
  parts.nodes = {node(canary + "op", {canary + "in"}, {canary + "out"},
                      {integer_attribute(canary + "attribute", 1)}, canary + "node")};
  parts.outputs = {value(canary + "out", kFloat, {})};
  const Graph graph = import_model_bytes(model(onnx_writer::graph(parts)).bytes(), "m.onnx");
  EXPECT_EQ(graph.name, canary + "graph");
  EXPECT_EQ(graph.values[0].name, canary + "in");
  EXPECT_EQ(graph.values[1].name, canary + "out");
  EXPECT_EQ(graph.symbols[0]->name, canary.substr(0, 12));
  const Node& node = graph.block.nodes[0];
  EXPECT_EQ(node.name, canary + "node");
  EXPECT_EQ(node.op, canary + "op");
  EXPECT_EQ(node.attributes[0].name, canary + "attribute");
  const std::string printed = to_string(graph) + locate(node).node + locate(node).op;
  for (const char c : printed) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f));
  EXPECT_EQ(printed.find("*/\n"), std::string::npos);
  EXPECT_TRUE(parse_graph(to_string(graph)) == graph);

  parts.nodes[0].text(1, canary + "gone");
  const std::string line =
      refusal([&] { import_model_bytes(model(onnx_writer::graph(parts)).bytes(), "m.onnx"); });
  const std::string shown =
      "*/\\x0a\"\\x27\\x5c ?"
      "?/ %s \\xff\\xe2\\x80\\xae\\x00 ..";
  EXPECT_EQ(line, "m.onnx: node 0 '" + shown + "node' ('" + shown + "op') input 1: error: value '" +
                      shown + "gone' is not defined [graph]");
}

}  // namespace
}  // namespace burin::import_model_test
