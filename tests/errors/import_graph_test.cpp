// What import refuses, by the classes of bad input: 4 structure, 5 functions, 6 nested blocks,
// 7 attributes.
#include <gtest/gtest.h>

#include "import/import.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_graph_test {
namespace {

using namespace onnx_writer;  // NOLINT

std::string line_of(const GraphParts& parts, const std::vector<Message>& functions = {},
                    const ImportOptions& options = {}) {
  const Message whole = model(graph(parts), functions);
  return refusal([&] { import_model_bytes(whole.bytes(), "m.onnx", options); });
}

// The refusal of a graph that has these nodes between x and y.
std::string line_of_nodes(const std::vector<Message>& nodes,
                          const std::vector<Message>& functions = {},
                          const ImportOptions& options = {}) {
  GraphParts parts = relu_parts();
  parts.nodes = nodes;
  return line_of(parts, functions, options);
}

// Class 4: structure of the graph.

TEST(ImportGraph, Cycle) {
  EXPECT_EQ(line_of_nodes({node("Add", {"x", "b"}, {"a"}, {}, "first"), node("Relu", {"a"}, {"b"}),
                           node("Relu", {"b"}, {"y"})}),
            "m.onnx: node 0 'first' (Add): error: the node depends on itself through value 'a' "
            "[graph]");
  EXPECT_EQ(
      line_of_nodes({node("Add", {"x", "y"}, {"y"}, {}, "loop")}),
      "m.onnx: node 0 'loop' (Add): error: the node depends on itself through value 'y' [graph]");
}

TEST(ImportGraph, NamesDefinedTwice) {
  EXPECT_EQ(line_of_nodes({node("Relu", {"x"}, {"y"}), node("Abs", {"x"}, {"y"}, {}, "again")}),
            "m.onnx: node 1 'again' (Abs): error: output 'y' is also an output of node 0 [graph]");
  EXPECT_EQ(line_of_nodes({node("Split", {"x"}, {"y", "y"})}),
            "m.onnx: node 0 (Split): error: output 'y' is also an output of node 0 [graph]");
  EXPECT_EQ(line_of_nodes({node("Relu", {"x"}, {"x"})}),
            "m.onnx: node 0 (Relu): error: output 'x' is also an input or initializer [graph]\n"
            "m.onnx: error: output 'y' of the graph is not defined [graph]");
  GraphParts parts = relu_parts();
  parts.inputs.push_back(parts.inputs[0]);
  EXPECT_EQ(line_of(parts), "m.onnx: input 'x': error: there are two inputs of this name [graph]");
  parts = relu_parts();
  parts.initializers = {floats("w", {1}), floats("w", {2})};
  EXPECT_EQ(line_of(parts),
            "m.onnx: initializer 'w': error: there are two initializers of this name [graph]");
}

TEST(ImportGraph, UndefinedNames) {
  EXPECT_EQ(line_of_nodes({node("Add", {"x", "nothing"}, {"y"}, {}, "sum")}),
            "m.onnx: node 0 'sum' (Add) input 1: error: value 'nothing' is not defined [graph]");
  EXPECT_EQ(line_of_nodes({node("Relu", {"x"}, {"z"})}),
            "m.onnx: error: output 'y' of the graph is not defined [graph]");
  EXPECT_EQ(line_of_nodes({}), "m.onnx: error: output 'y' of the graph is not defined [graph]");
}

TEST(ImportGraph, EmptyParts) {
  GraphParts parts = relu_parts();
  parts.outputs.clear();
  EXPECT_EQ(line_of(parts), "m.onnx: error: the graph has no outputs [graph]");
  parts.outputs = {value("", kFloat, {})};
  EXPECT_EQ(line_of(parts), "m.onnx: error: an output of the graph has no name [graph]");
  parts = relu_parts();
  parts.inputs.push_back(value("", kFloat, {}));
  EXPECT_EQ(line_of(parts), "m.onnx: input '': error: an input has no name [graph]");
  EXPECT_EQ(line_of_nodes({node("", {"x"}, {"y"}, {}, "what")}),
            "m.onnx: node 0 'what': error: the node has no operator [graph]");
  EXPECT_EQ(refusal([] { import_model_bytes(Message().integer(1, 8).bytes(), "m.onnx"); }),
            "m.onnx: error: the model has no graph [graph]");
}

TEST(ImportGraph, InputsWithoutTypeOrShape) {
  GraphParts parts = relu_parts();
  parts.inputs[0] = Message().text(1, "x");
  EXPECT_EQ(line_of(parts), "m.onnx: input 'x': error: it has no type [graph]");
  parts.inputs[0] =
      Message().text(1, "x").message(2, Message().message(1, Message().integer(1, 1)));
  EXPECT_EQ(line_of(parts),
            "m.onnx: input 'x': error: it is declared without a shape [symbol]; declare its rank; "
            "sizes that vary may be left open or named");
  parts.inputs[0] = value("x", kComplex64, {1});
  EXPECT_EQ(line_of(parts),
            "m.onnx: input 'x': error: COMPLEX64 is not supported as element type [type]");
  parts.inputs[0] = value("x", 99, {1});
  EXPECT_EQ(line_of(parts),
            "m.onnx: input 'x': error: element type 99 is not supported as element type [type]");
  parts.inputs[0] = value("x", kFloat, {2, -2});
  EXPECT_EQ(line_of(parts),
            "m.onnx: input 'x': error: dimension 1 is -2 [symbol]; a size that is not known before "
            "the run has a name (dim_param) or nothing");
}

// Class 5: functions of the model.

TEST(ImportGraph, FunctionRecursion) {
  const Message call = node("F", {"x"}, {"y"}, {}, "call", "local");
  EXPECT_EQ(line_of_nodes(
                {call}, {function("F", {"x"}, {"y"}, {node("F", {"x"}, {"y"}, {}, "", "local")})}),
            "m.onnx: node 0 'call' > node 0 (F): error: function 'F' calls itself [function]");
  EXPECT_EQ(line_of_nodes(
                {call}, {function("F", {"x"}, {"y"}, {node("G", {"x"}, {"y"}, {}, "", "local")}),
                         function("G", {"x"}, {"y"}, {node("F", {"x"}, {"y"}, {}, "", "local")})}),
            "m.onnx: node 0 'call' > node 0 (G) > node 0 (F): error: function 'F' calls itself "
            "[function]");
}

TEST(ImportGraph, FunctionChain) {
  std::vector<Message> functions;
  for (int i = 0; i < 70; ++i) {
    functions.push_back(
        function("F" + std::to_string(i), {"x"}, {"y"},
                 {node("F" + std::to_string(i + 1), {"x"}, {"y"}, {}, "", "local")}));
  }
  functions.push_back(function("F70", {"x"}, {"y"}, {node("Relu", {"x"}, {"y"})}));
  const std::string line = line_of_nodes({node("F0", {"x"}, {"y"}, {}, "", "local")}, functions);
  EXPECT_NE(line.find("(F64): error: calls are nested more than 64 deep [limit]"),
            std::string::npos)
      << line;
}

// Eight calls of eight calls of ...: 8^10 nodes from two kilobytes.
TEST(ImportGraph, FunctionBomb) {
  std::vector<Message> functions;
  for (int i = 0; i < 10; ++i) {
    std::vector<Message> nodes;
    for (int k = 0; k < 8; ++k) {
      nodes.push_back(node(i == 9 ? "Relu" : "F" + std::to_string(i + 1), {"x"},
                           {k == 7 ? "y" : "t" + std::to_string(k)}, {}, "",
                           i == 9 ? "" : "local"));
    }
    functions.push_back(function("F" + std::to_string(i), {"x"}, {"y"}, nodes));
  }
  ImportOptions options;
  options.limits.nodes = 10'000;
  const std::string line =
      line_of_nodes({node("F0", {"x"}, {"y"}, {}, "", "local")}, functions, options);
  EXPECT_NE(line.find("error: the model has more than 10000 nodes [limit]"), std::string::npos)
      << line;
}

// A short call of a long function, again and again: no nodes, but a list that is read every time.
TEST(ImportGraph, FunctionWork) {
  const Message list = attribute("list", kTexts).text(9, std::string(1 << 20, 'x'));
  const Message f = function("F", {"a"}, {"a"}, {}, {}, {list});
  std::vector<Message> nodes;
  for (int i = 0; i < 2000; ++i) {
    nodes.push_back(node("F", {"x"}, {i == 0 ? "y" : "t" + std::to_string(i)}, {}, "", "local"));
  }
  const std::string line = line_of_nodes(nodes, {f});
  EXPECT_NE(line.find("(F): error: the model needs more reading than its size explains (1073741824 "
                      "bytes and 8 per byte of the files) [limit]"),
            std::string::npos)
      << line;
}

TEST(ImportGraph, FunctionArity) {
  const Message f = function("F", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})});
  EXPECT_EQ(
      line_of_nodes({node("F", {"x", "x"}, {"y"}, {}, "call", "local")}, {f}),
      "m.onnx: node 0 'call' (F): error: function 'F' has 1 inputs, the call has 2 [function]");
  EXPECT_EQ(
      line_of_nodes({node("F", {"x"}, {"y", "z"}, {}, "call", "local")}, {f}),
      "m.onnx: node 0 'call' (F): error: function 'F' has 1 outputs, the call has 2 [function]");
  const Message copy = function("F", {"a", "o"}, {"o"}, {});
  EXPECT_EQ(line_of_nodes({node("F", {"x"}, {"y"}, {}, "call", "local")}, {copy}),
            "m.onnx: node 0 'call' (F): error: output 'o' is an input that the call leaves out "
            "[function]");
}

TEST(ImportGraph, FunctionBodies) {
  const auto line = [](const Message& f) {
    return line_of_nodes({node("F", {"x"}, {"y"}, {}, "call", "local")}, {f});
  };
  EXPECT_EQ(line(function("F", {"a", "a"}, {"b"}, {node("Relu", {"a"}, {"b"})})),
            "m.onnx: node 0 'call' (F): error: function 'F' has two inputs named 'a' [function]");
  EXPECT_EQ(
      line(function("F", {"a"}, {"c"}, {node("Relu", {"a"}, {"b"})})),
      "m.onnx: node 0 'call' (F): error: output 'c' of function 'F' is not defined [function]");
  // The body of a function does not see the graph.
  EXPECT_EQ(
      line(function("F", {"a"}, {"b"}, {node("Relu", {"x"}, {"b"})})),
      "m.onnx: node 0 'call' > node 0 (Relu) input 0: error: value 'x' is not defined [graph]");
  EXPECT_EQ(
      line(function("F", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"}), node("Abs", {"a"}, {"b"})})),
      "m.onnx: node 0 'call' > node 1 (Abs): error: output 'b' is defined twice [graph]");
}

TEST(ImportGraph, FunctionTables) {
  const Message f = function("F", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})});
  EXPECT_EQ(line_of(relu_parts(), {f, f}),
            "m.onnx: function 'F': error: the model has two functions of this name [function]");
  EXPECT_EQ(line_of(relu_parts(), {function("", {"a"}, {"b"}, {})}),
            "m.onnx: function '': error: a function has no name [function]");
  EXPECT_EQ(line_of(relu_parts(), {Message().text(1, "F")}),
            "m.onnx: function 'F': error: function 'F' has no opset_import [version]");
  EXPECT_EQ(line_of_nodes({node("F", {"x"}, {"y"}, {}, "", "").text(8, "v2")}),
            "m.onnx: node 0 (F): error: overload 'v2' of it is not in the model [function]");
}

TEST(ImportGraph, FunctionAttributes) {
  const auto body = [](const std::vector<Message>& attributes, const Names& formals) {
    return function("F", {"a"}, {"b"}, {node("Selu", {"a"}, {"b"}, attributes)}, formals);
  };
  const auto line = [](const Message& f, const std::vector<Message>& given) {
    return line_of_nodes({node("F", {"x"}, {"y"}, given, "call", "local")}, {f});
  };
  EXPECT_EQ(line(body({reference("alpha", kReal, "beta")}, {"alpha"}), {}),
            "m.onnx: node 0 'call' > node 0 (Selu) attribute 'alpha': error: function 'F' has no "
            "attribute 'beta' [function]");
  EXPECT_EQ(line(body({}, {"alpha"}), {integer_attribute("beta", 1)}),
            "m.onnx: node 0 'call' (F) attribute 'beta': error: function 'F' has no such attribute "
            "[function]");
  EXPECT_EQ(
      line(body({}, {"alpha"}), {integer_attribute("alpha", 1), integer_attribute("alpha", 1)}),
      "m.onnx: node 0 'call' (F) attribute 'alpha': error: it is given twice [attribute]");
  EXPECT_EQ(
      line(body({reference("alpha", kReal, "alpha")}, {"alpha"}), {integer_attribute("alpha", 1)}),
      "m.onnx: node 0 'call' > node 0 (Selu) attribute 'alpha': error: the call gives attribute "
      "'alpha' as another type [function]");
  EXPECT_EQ(
      line(body({reference("alpha", kReal, "alpha").real(2, 1)}, {"alpha"}), {}),
      "m.onnx: node 0 'call' > node 0 (Selu) attribute 'alpha': error: it has a value and refers "
      "to attribute 'alpha' [attribute]");
  EXPECT_EQ(line_of_nodes({node("Selu", {"x"}, {"y"}, {reference("alpha", kReal, "alpha")})}),
            "m.onnx: node 0 (Selu) attribute 'alpha': error: it refers to attribute 'alpha' of a "
            "function, but is in none [function]");
}

// Class 6: nested blocks.

Message branch(const std::vector<Message>& nodes, const Message& output) {
  return graph(
      {.nodes = nodes, .initializers = {}, .inputs = {}, .outputs = {output}, .name = "b"});
}

TEST(ImportGraph, Shadowing) {
  const auto line = [](const Message& body, const std::vector<Message>& before,
                       const std::vector<Message>& after) {
    std::vector<Message> nodes = before;
    nodes.push_back(node("If", {"x"}, {"y"}, {graph_attribute("then_branch", body)}, "if"));
    nodes.insert(nodes.end(), after.begin(), after.end());
    return line_of_nodes(nodes);
  };
  const Message inner = branch({node("Neg", {"x"}, {"h"})}, value("h", kFloat, {}));
  const Message other = node("Abs", {"x"}, {"h"}, {}, "outer");
  EXPECT_EQ(
      line(inner, {other}, {}),
      "m.onnx: node 1 'if' 'then_branch' > node 0 (Neg): error: output 'h' is also an output of "
      "node 0 of an outer block [graph]");
  EXPECT_EQ(line(inner, {}, {other}), "accepted");  // not visible there
  EXPECT_EQ(
      line(branch({node("Neg", {"x"}, {"x"})}, value("x", kFloat, {})), {}, {}),
      "m.onnx: node 0 'if' 'then_branch' > node 0 (Neg): error: output 'x' is also an input or "
      "initializer of an outer block [graph]");
  EXPECT_EQ(line(branch({node("Neg", {"x"}, {"y"})}, value("y", kFloat, {})), {}, {}), "accepted");
}

TEST(ImportGraph, NestedNames) {
  const auto line = [](const Message& body) {
    return line_of_nodes({node("If", {"x"}, {"y"}, {graph_attribute("then_branch", body)}, "if")});
  };
  EXPECT_EQ(
      line(branch({node("Neg", {"gone"}, {"h"}, {}, "in")}, value("h", kFloat, {}))),
      "m.onnx: node 0 'if' 'then_branch' > node 0 'in' (Neg) input 0: error: value 'gone' is not "
      "defined [graph]");
  EXPECT_EQ(line(branch({}, value("h", kFloat, {}))),
            "m.onnx: node 0 'if' (If) attribute 'then_branch': error: output 'h' of the "
            "graph is not defined [graph]");
  // A branch that uses what its own node defines.
  EXPECT_EQ(
      line(branch({node("Neg", {"y"}, {"h"})}, value("h", kFloat, {}))),
      "m.onnx: node 0 'if' (If): error: the node depends on itself through value 'y' [graph]");
}

// Class 7: attributes.

TEST(ImportGraph, Attributes) {
  const auto line = [](const std::vector<Message>& attributes) {
    return line_of_nodes({node("Op", {"x"}, {"y"}, attributes, "n")});
  };
  const std::string start = "m.onnx: node 0 'n' (Op) attribute 'a': error: ";
  EXPECT_EQ(line({integer_attribute("a", 1), integer_attribute("a", 1)}),
            start + "it is given twice [attribute]");
  EXPECT_EQ(line({integer_attribute("a", 1).real(2, 1)}),
            start + "it has values of several types [attribute]");
  EXPECT_EQ(line({attribute("a", kInteger).real(2, 1)}),
            start + "it should be an int, it holds a float [attribute]");
  EXPECT_EQ(line({Message().text(1, "a")}), start + "it has no value and no type [attribute]");
  EXPECT_EQ(line({attribute("a", kTensor)}), start + "it has no value [attribute]");
  EXPECT_EQ(line({attribute("a", kGraph)}), start + "it has no value [attribute]");
  EXPECT_EQ(line({attribute("a", 77)}), start + "attribute type 77 is not known [attribute]");
  EXPECT_EQ(line({attribute("a", 9)}),
            start + "it is a list of tensors, which is not supported [attribute]");
  EXPECT_EQ(line({attribute("a", 13).message(14, Message())}),
            start + "a type that is no tensor, sequence or optional [type]");
  EXPECT_EQ(line({attribute("", kInteger)}),
            "m.onnx: node 0 'n' (Op) attribute '': error: an attribute has no name [attribute]");
  EXPECT_EQ(line({attribute("a", kInteger), attribute("b", kReal), attribute("c", kText),
                  attribute("d", kIntegers)}),
            "accepted");  // zero and empty values may be left out
}

}  // namespace
}  // namespace burin::import_graph_test
