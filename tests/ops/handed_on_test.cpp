// Nodes that make one of their outputs and hand another one on, which somebody else made.
#include <gtest/gtest.h>

#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/onnx_writer.h"

namespace burin::handed_on_test {
namespace {

using namespace onnx_writer;  // NOLINT

// The mask of a Dropout that drops nothing is a constant, its data are what they were.
TEST(HandedOn, IsNoConstantBesideOne) {
  const GraphParts parts = {
      .nodes = {node("Exp", {"x"}, {"y"}), node("Dropout", {"y"}, {"z", "mask"}),
                node("Not", {"mask"}, {"n"})},
      .initializers = {},
      .inputs = {value("x", kFloat, {4})},
      .outputs = {Message().text(1, "y"), Message().text(1, "z"), Message().text(1, "n")}};
  const Lowered lowered = lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), {});
  const RunResult result =
      interpret(lowered.graph, {make_tensor(Type::f32, {4}, std::vector<double>(4, 0.))}, {});
  ASSERT_EQ(result.status, kRunOk) << result.message;
  EXPECT_EQ(result.outputs[1], make_tensor(Type::f32, {4}, std::vector<double>(4, 1.)));
  EXPECT_EQ(result.outputs[2], make_tensor(Type::boolean, {4}));
}

}  // namespace
}  // namespace burin::handed_on_test
