// Declared shapes that the graph contradicts, of values that the run sizes and of those inside
// blocks: the graph counts, as onnxruntime has it.
#include <gtest/gtest.h>

#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/onnx_writer.h"

namespace burin::declared_test {
namespace {

using namespace onnx_writer;  // NOLINT

struct Ran {
  RunResult result;
  size_t notes = 0;
};

Ran ran(const GraphParts& parts, const std::vector<HostTensor>& inputs, bool strict = false) {
  LowerOptions options;
  options.strict = strict;
  const Lowered lowered = lower(import_model_bytes(model(graph(parts)).bytes(), "m.onnx"), options);
  std::vector<std::vector<int64_t>> shapes;
  for (const HostTensor& input : inputs) shapes.push_back(input.shape);
  return {interpret(lowered.graph, inputs, bind_symbols(lowered.graph, shapes)),
          lowered.notes.size()};
}

HostTensor counting(std::vector<int64_t> shape) {
  HostTensor out = make_tensor(Type::f32, std::move(shape));
  for (int64_t i = 0; i < out.elements(); ++i) out.set(i, {static_cast<double>(i), 0});
  return out;
}

// NonZero of 0..5 finds five places.
GraphParts found_places() {
  return {.nodes = {node("NonZero", {"x"}, {"places"}),
                    node("Cast", {"places"}, {"y"}, {integer_attribute("to", kFloat)})},
          .initializers = {},
          .inputs = {value("x", kFloat, {"n", 3})},
          .outputs = {value("y", kFloat, {2, 4})},
          .value_infos = {value("places", kInt64, {2, 4})}};
}

TEST(Declared, SizesOfTheRunAreThoseOfTheRun) {
  const Ran loose = ran(found_places(), {counting({2, 3})});
  ASSERT_EQ(loose.result.status, kRunOk) << loose.result.message;
  EXPECT_EQ(loose.result.outputs[0],
            make_tensor(Type::f32, {2, 5}, std::vector<double>{0, 0, 1, 1, 1, 1, 2, 0, 1, 2}));
  EXPECT_NE(ran(found_places(), {counting({2, 3})}, true).result.status, kRunOk);
}

TEST(Declared, ResultsOfBlocksAreThoseOfTheBlocks) {
  const auto branch = [](const char* op, const std::vector<Size>& declared) {
    return graph({.nodes = {node(op, {"x"}, {"r"})},
                  .initializers = {},
                  .inputs = {},
                  .outputs = {value("r", kFloat, declared)}});
  };
  const GraphParts parts{.nodes = {node("If", {"c"}, {"y"},
                                        {graph_attribute("then_branch", branch("Relu", {5, 3})),
                                         graph_attribute("else_branch", branch("Neg", {7}))})},
                         .initializers = {},
                         .inputs = {value("c", kBool, {}), value("x", kFloat, {2, 3})},
                         .outputs = {value("y", kFloat, {9, 9})}};
  HostTensor yes = make_tensor(Type::boolean, {});
  yes.set(0, {0, 1});
  const Ran loose = ran(parts, {yes, counting({2, 3})});
  ASSERT_EQ(loose.result.status, kRunOk) << loose.result.message;
  EXPECT_EQ(loose.result.outputs[0], counting({2, 3}));
  EXPECT_EQ(loose.notes, 3);
}

}  // namespace
}  // namespace burin::declared_test
