// Kernels that threads take side by side: the emitted tree under sanitizers, one thread beside
// parts in any order, and the interpreter.
#include <gtest/gtest.h>

#include "differential/support/emitted_run.h"
#include "support/onnx_writer.h"

namespace burin::emitted_thread_groups_test {
namespace {

namespace w = onnx_writer;

constexpr int64_t kUnits = 8, kInputs = 4, kSteps = 24;

w::Message numbers(const std::string& name, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  std::string bytes;
  for (int64_t i = 0; i < count; ++i) {
    const float one = static_cast<float>((7 * i + i / 3) % 17 - 8) / 32;
    bytes.append(reinterpret_cast<const char*>(&one), sizeof one);
  }
  return w::raw_tensor(name, w::kFloat, shape, bytes);
}

// A recurrent layer of both directions, whose results lie in one tensor, of few sequences.
std::string both_directions() {
  w::GraphParts parts;
  parts.inputs = {w::value("x", w::kFloat, {kSteps, "n", kInputs})};
  parts.initializers = {numbers("w", {2, kUnits, kInputs}), numbers("r", {2, kUnits, kUnits})};
  parts.nodes = {w::node("RNN", {"x", "w", "r"}, {"y"},
                         {w::integer_attribute("hidden_size", kUnits),
                          w::attribute("direction", w::kText).text(4, "bidirectional")},
                         "layer")};
  parts.outputs = {w::Message().text(1, "y")};
  return w::model(w::graph(parts), {}, {w::opset("", 18)}).bytes();
}

TEST(EmittedThreadGroups, BothDirectionsOfALayerRunSideBySide) {
  for (const char* const hardware : {"cpp-generic", "x86-64-v3"}) {
    const EmittedProgram program(both_directions(),
                                 {.dims = {"n=1..6@1"}, .hardware = hardware, .threads = 4});
    ASSERT_EQ(program.plan().thread_groups.groups.size(), 1U) << hardware;
    EXPECT_EQ(program.plan().thread_groups.groups[0].steps.size(), 2U);
    // More sequences than threads, too.
    for (int64_t n = 1; n <= 6; ++n) {
      HostTensor x = make_tensor(Type::f32, {kSteps, n, kInputs});
      for (int64_t i = 0; i < x.elements(); ++i)
        x.set(i, {1.0 / static_cast<double>(3 + (7 * i + i / 5) % 41), 0});
      program.expect_agrees({x});
      const std::vector<RunOutcome> outcomes = program.run_in_parts({x});
      ASSERT_EQ(outcomes.size(), 2U);
      EXPECT_TRUE(outcomes[0].outputs.at(0) == outcomes[1].outputs.at(0)) << hardware << ", " << n;
    }
  }
}

}  // namespace
}  // namespace burin::emitted_thread_groups_test
