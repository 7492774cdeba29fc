// Inputs of nested graphs in the form that exporters declare.
#include <gtest/gtest.h>

#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/onnx_writer.h"

namespace burin::nested_inputs_test {
namespace {

using namespace onnx_writer;  // NOLINT

// s + x[0] + x[1] + ..., by Slices at the iteration, which the body has as a list of one, and its
// condition too: tf2onnx's CropAndResize.
TEST(NestedInputs, TheIterationAsAList) {
  for (const bool known : {true, false}) {
    const Message body =
        graph({.nodes = {node("Add", {"i", "one"}, {"e"}), node("Slice", {"x", "i", "e"}, {"r"}),
                         node("Add", {"s", "r"}, {"t"}), node("Identity", {"c"}, {"d"})},
               .initializers = {integers("one", {1})},
               .inputs = {value("i", kInt64, {1}), value("c", kBool, {1}), value("s", kFloat, {1})},
               .outputs = {Message().text(1, "d"), Message().text(1, "t")}});
    GraphParts parts = {
        .nodes = {node("Loop", {"m", "", "s0"}, {"y"}, {graph_attribute("body", body)})},
        .initializers = {},
        .inputs = {value("s0", kFloat, {1}), value("x", kFloat, {4})},
        .outputs = {Message().text(1, "y")}};
    if (known) {
      parts.initializers.push_back(integers("m", {3}));
    } else {
      parts.inputs.push_back(value("m", kInt64, {1}));
    }
    const Lowered lowered = lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), {});
    std::vector<HostTensor> inputs = {make_tensor(Type::f32, {1}, std::vector<double>{10}),
                                      make_tensor(Type::f32, {4}, std::vector<double>{1, 2, 4, 8})};
    if (!known) inputs.push_back(make_tensor(Type::i64, {1}, std::vector<int64_t>{3}));
    const RunResult result = interpret(lowered.graph, inputs, {});
    ASSERT_EQ(result.status, kRunOk) << result.message;
    EXPECT_EQ(result.outputs[0], make_tensor(Type::f32, {1}, std::vector<double>{17}));
  }
}

}  // namespace
}  // namespace burin::nested_inputs_test
