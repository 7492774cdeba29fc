// Reshape with entries 0 beside entries that are sizes of the caller, as exporters of attention
// write it: Concat(0, Shape(x)[1], heads, width).
#include <gtest/gtest.h>

#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/onnx_writer.h"

namespace burin::reshape_chain_test {
namespace {

using namespace onnx_writer;  // NOLINT

// x [N, L, 24] under the shape `entries`, where 'L' stands for the size of x's axis 1.
std::vector<int64_t> shape_of(const std::vector<Size>& entries, const std::vector<Size>& declared) {
  GraphParts parts{
      .nodes = {node("Shape", {"x"}, {"s"}), node("Slice", {"s", "one", "two", "none"}, {"l"})},
      .initializers = {integers("none", {0}), integers("one", {1}), integers("two", {2})},
      .inputs = {value("x", kFloat, declared)},
      .outputs = {value("y", kFloat, {"?"})}};
  std::vector<std::string> names;
  for (const Size& entry : entries) {
    names.push_back(entry.name.empty() ? "e" + std::to_string(names.size()) : "l");
    if (entry.name.empty()) parts.initializers.push_back(integers(names.back(), {entry.value}));
  }
  parts.nodes.push_back(node("Concat", names, {"shape"}, {integer_attribute("axis", 0)}));
  parts.nodes.push_back(node("Reshape", {"x", "shape"}, {"y"}));
  parts.outputs = {Message().text(1, "y")};
  const Lowered lowered =
      lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), LowerOptions{});
  std::vector<double> numbers(2 * 3 * 24);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const HostTensor x = make_tensor(Type::f32, {2, 3, 24}, numbers);
  const std::vector<HostTensor> inputs{x};
  const RunResult result =
      interpret(lowered.graph, inputs, bind_symbols(lowered.graph, {{2, 3, 24}}));
  EXPECT_EQ(result.status, kRunOk) << result.message;
  EXPECT_EQ(result.outputs[0].bytes, x.bytes);
  return result.outputs[0].shape;
}

TEST(ReshapeChain, ZeroBesideSizesOfTheCaller) {
  using Shape = std::vector<int64_t>;
  const std::vector<Size> open = {"N", "L", 24}, none = {"?", "?", 24}, fixed = {2, "L", 24};
  for (const std::vector<Size>& declared : {open, none, fixed}) {
    EXPECT_EQ(shape_of({0, "L", 3, 8}, declared), (Shape{2, 3, 3, 8}));
    EXPECT_EQ(shape_of({0, "L", -1}, declared), (Shape{2, 3, 24}));
    EXPECT_EQ(shape_of({0, 0, "L", 8}, declared), (Shape{2, 3, 3, 8}));
    EXPECT_EQ(shape_of({0, -1, "L"}, declared), (Shape{2, 24, 3}));
    EXPECT_EQ(shape_of({"L", -1, 0}, declared), (Shape{3, 2, 24}));
    EXPECT_EQ(shape_of({-1, 0, "L"}, declared), (Shape{16, 3, 3}));
  }
}

}  // namespace
}  // namespace burin::reshape_chain_test
