// Backward transfer of values (SoD2 4.1): what a size must be that only the run computes, because
// another operator takes nothing else. Every operator that reads sizes as numbers or counts what it
// finds gives a tensor whose last extent a product with a constant fixes. The enumeration lowers it
// with every number as a constant, where nothing is propagated backward: what is refused there, the
// run refuses, and nothing else.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <sstream>

#include "graph/graph.h"
#include "kernel/interpreter/interpreter.h"
#include "kernel/tensor.h"
#include "lower/lower.h"
#include "support/diagnostics.h"

namespace burin::backward_values_test {
namespace {

struct Maker {
  std::string op;             // with its opset
  std::string inputs;         // names of kTensors; "-": left out
  std::string x;              // type and shape of the tensor x
  std::vector<int64_t> made;  // the shape, all of it known
  int outputs = 1;
  int reads = 0;  // the output that goes on
};

constexpr int64_t kExtent = 5;

const Maker kMakers[] = {
    {"ConstantOfShape@9", "s", "", {5}},
    {"ConstantOfShape@9", "two_and_s", "", {2, 5}},
    {"Range@11", "zero scalar one", "", {5}},
    {"Reshape@13", "x s", "f32 [5]", {5}},
    {"Reshape@13", "x two_and_s", "f32 [10]", {2, 5}},
    {"Expand@13", "x s", "f32 [1]", {5}},
    {"Expand@13", "x s", "f32 [2, 1]", {2, 5}},
    {"Tile@13", "x s", "f32 [1]", {5}},
    {"Slice@13", "x zeros s", "f32 [9]", {5}},
    {"Slice@13", "x s far", "f32 [9]", {5}},
    {"TopK@11", "x s", "f32 [3, 9]", {3, 5}, 2},
    {"TopK@11", "x s", "i64 [3, 9]", {3, 5}, 2, 1},
    {"OneHot@11", "x scalar values", "i64 [3]", {3, 5}},
    {"Resize@13", "x - - s", "f32 [3]", {5}},
    {"Pad@13", "x one_and_s", "f32 [2]", {5}},
    {"CenterCropPad@18", "x s", "f32 [8]", {5}},
    {"HannWindow@17", "scalar", "", {5}},
    {"HammingWindow@17", "scalar", "", {5}},
    {"BlackmanWindow@17", "scalar", "", {5}},
};

// What a maker may read: "s" and "scalar" are the number that the run is given.
const std::pair<std::string, std::string> kTensors[] = {
    {"s", "i64 [1]"},
    {"scalar", "i64 []"},
    {"zero", "i64 [] = i64 [] {0}"},
    {"one", "i64 [] = i64 [] {1}"},
    {"ones", "i64 [1] = i64 [1] {1}"},
    {"twos", "i64 [1] = i64 [1] {2}"},
    {"zeros", "i64 [1] = i64 [1] {0}"},
    {"far", "i64 [1] = i64 [1] {1000}"},
    {"values", "f32 [2] = f32 [2] {0.0, 1.0}"},
    {"w", "f32 [5] = f32 [5] {1.0, 1.0, 1.0, 1.0, 1.0}"},
};

// The graph as text, with values numbered as they are named.
class GraphText {
 public:
  void value(const std::string& name, const std::string& type, bool input = false) {
    const std::string id = "%" + std::to_string(ids_.size());
    if (input) inputs_ += (inputs_.empty() ? "" : ", ") + id;
    values_ += "value " + id + " \"" + name + "\" " + type + "\n";
    ids_[name] = id;
  }
  void node(const std::string& op, const std::string& from, const std::string& to,
            const std::string& attributes = "") {
    nodes_ += "node " + std::to_string(count_++) + " \"" + op + "\" " + op + " (" + list(from) +
              ") -> (" + list(to) + ") {" + attributes + "}\n";
  }
  std::string text(const std::string& result) const {
    return "graph \"g\" file \"g.onnx\" ir 8\n" + values_ + "block \"g\" (" + inputs_ + ") -> (" +
           ids_.at(result) + ") {\n" + nodes_ + "}";
  }

 private:
  std::string list(const std::string& names) const {
    std::string out, name;
    std::istringstream words(names);
    while (words >> name) out += (out.empty() ? "" : ", ") + (name == "-" ? name : ids_.at(name));
    return out;
  }
  std::map<std::string, std::string> ids_;
  std::string values_, inputs_, nodes_;
  int count_ = 0;
};

// The maker, and a product over the last extent with five numbers. `number`: that s is, fixed.
Graph graph_of(const Maker& maker, std::optional<int64_t> number = {}) {
  GraphText graph;
  for (auto [name, type] : kTensors) {
    const bool given = type.find('=') == std::string::npos;
    if (given && number) type += " = " + type + " {" + std::to_string(*number) + "}";
    graph.value(name, type, given && !number);
  }
  if (!maker.x.empty()) graph.value("x", maker.x, true);
  for (const char* name : {"two_and_s", "one_and_s", "made0", "made1", "float", "y"})
    graph.value(name, "none ?");
  graph.node("Concat@13", "twos s", "two_and_s", "axis: int 0");
  graph.node("Concat@13", "ones s", "one_and_s", "axis: int 0");
  graph.node(maker.op, maker.inputs, maker.outputs == 1 ? "made0" : "made0 made1");
  graph.node("Cast@13", "made" + std::to_string(maker.reads), "float", "to: int 1");
  graph.node("MatMul@13", "float w", "y");
  return parse_graph(graph.text("y"));
}

const Value* value_named(const KernelGraph& graph, const std::string& name) {
  for (const Value& value : graph.values) {
    if (value.name == name) return &value;
  }
  return nullptr;
}

// Whether a run with this number ends well.
bool runs(const KernelGraph& graph, int64_t number) {
  std::vector<HostTensor> inputs;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) shape.push_back(dim.constant());
    const int64_t each = value.name == "s" || value.name == "scalar" ? number : 0;
    const auto count = static_cast<size_t>(product(value.shape).constant());
    inputs.push_back(make_tensor(value.type, shape, std::vector<int64_t>(count, each)));
  }
  return interpret(graph, inputs, {}).status == kRunOk;
}

bool taken(const Maker& maker, int64_t number) {
  try {
    return runs(lower(graph_of(maker, number), {}).graph, number);
  } catch (const Refused&) {
    return false;
  }
}

TEST(BackwardValues, WhatARunComputesIsWhatOthersTake) {
  for (const Maker& maker : kMakers) {
    SCOPED_TRACE(maker.op + " " + maker.inputs);
    const Lowered found = lower(graph_of(maker), {});
    const Value* made = value_named(found.graph, "made" + std::to_string(maker.reads));
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(made->shape, std::vector<Dim>(maker.made.begin(), maker.made.end()))
        << to_string(made->shape);
    int accepted = 0;
    for (int64_t number = -12; number <= 12; ++number) {
      const bool expected = taken(maker, number);
      EXPECT_EQ(runs(found.graph, number), expected) << number;
      accepted += expected;
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, 4);
  }
}

// What a procedure finds is known before it runs, and checked when it has.
TEST(BackwardValues, CountsThatOthersTake) {
  for (const std::string op : {"NonZero@13", "Unique@11", "Compress@11"}) {
    SCOPED_TRACE(op);
    GraphText graph;
    graph.value("x", "f32 [9]", true);
    graph.value("c", "boolean [9]", true);
    graph.value("w", kTensors[9].second);
    for (const char* name : {"made", "float", "y"}) graph.value(name, "none ?");
    graph.node(op, op[0] == 'C' ? "x c" : "x", "made");
    graph.node("Cast@13", "made", "float", "to: int 1");
    graph.node("MatMul@13", "float w", "y");
    const KernelGraph lowered = lower(parse_graph(graph.text("y")), {}).graph;
    const Value* made = value_named(lowered, "made");
    ASSERT_NE(made, nullptr);
    EXPECT_TRUE(made->shape.back().is_constant(kExtent)) << to_string(made->shape);
    for (int64_t number = 0; number <= 9; ++number) {
      std::vector<int64_t> x(9, 1), c(9, 0);
      for (size_t k = 0; k < 9; ++k) {
        const bool counts = static_cast<int64_t>(k) < number;
        x[k] = !counts ? 0 : op[0] == 'U' ? static_cast<int64_t>(k) : 1;
        c[k] = counts;
      }
      const HostTensor inputs[] = {make_tensor(Type::f32, {9}, x),
                                   make_tensor(Type::boolean, {9}, c)};
      const bool ran = interpret(lowered, {inputs[0], inputs[1]}, {}).status == kRunOk;
      EXPECT_EQ(ran, number == kExtent) << number;
    }
  }
}

}  // namespace
}  // namespace burin::backward_values_test
