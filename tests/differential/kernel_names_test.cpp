// Kernels are called by what they compute, in whole words: what only converts numbers is not
// mentioned beside what computes, and names that headers have taken are not theirs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "hardware/load.h"
#include "pipeline.h"
#include "support/onnx_writer.h"

namespace burin::kernel_names_test {
namespace {

using namespace onnx_writer;  // NOLINT: the model is most of a test

// The name of the only kernel of a chain of nodes, without its hash.
std::string name_of(const std::vector<Message>& nodes) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/model.onnx";
  std::ofstream(path, std::ios::binary) << model(graph({.nodes = nodes,
                                                        .initializers = {},
                                                        .inputs = {value("x", kFloat, {4})},
                                                        .outputs = {value("y", kFloat, {})}}))
                                               .bytes();
  CompileOptions options;
  options.model = path;
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  const cpp::EmittedTree emitted = emit_tree(compiled.plan);
  std::string out;
  for (const auto& [file, content] : emitted.tree.entries()) {
    const std::filesystem::path at = file;
    if (at.parent_path() != "src/kernels") continue;
    EXPECT_TRUE(out.empty()) << "more than one kernel";
    out = at.stem().string();
  }
  return out.substr(0, out.rfind('_'));
}

// Each node of what the one before gives.
std::vector<Message> chain(const std::vector<std::string>& operators) {
  std::vector<Message> nodes;
  for (size_t i = 0; i < operators.size(); ++i) {
    const std::string from = i == 0 ? "x" : "t" + std::to_string(i);
    const std::string to = i + 1 == operators.size() ? "y" : "t" + std::to_string(i + 1);
    nodes.push_back(node(operators[i], {from}, {to}));
  }
  return nodes;
}

TEST(KernelNames, AreWholeWords) {
  EXPECT_EQ(name_of(chain({"Sqrt", "HardSwish"})), "sqrt_hard_swish");
  EXPECT_EQ(name_of(chain({"Sqrt", "HardSwish", "Softplus", "HardSigmoid", "Softsign"})),
            "sqrt_hard_swish_softplus_and_more");
}

TEST(KernelNames, AreNotTaken) { EXPECT_EQ(name_of(chain({"Cos"})), "cos_kernel"); }

TEST(KernelNames, SayWhatComputes) {
  constexpr int64_t kDouble = 11;
  const Message to_double = node("Cast", {"x"}, {"d"}, {integer_attribute("to", kDouble)});
  const auto cast_to_y = [](const std::string& from) {
    return node("Cast", {from}, {"y"}, {integer_attribute("to", kFloat)});
  };
  EXPECT_EQ(name_of({to_double, node("Softplus", {"d"}, {"r"}), cast_to_y("r")}), "softplus");
  constexpr int64_t kHalf = 10;
  EXPECT_EQ(name_of({node("Cast", {"x"}, {"h"}, {integer_attribute("to", kHalf)}), cast_to_y("h")}),
            "cast");
}

}  // namespace
}  // namespace burin::kernel_names_test
