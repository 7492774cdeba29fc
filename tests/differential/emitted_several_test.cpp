// Several models in one tree: each through its own interface, and all in a joint run; what the tree
// holds once.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "several.h"
#include "support/refusal.h"
#include "verify/verdict_text.h"
#include "verify/verify_several.h"

namespace burin::emitted_several_test {
namespace {

const std::string kModels = std::string(BURIN_SOURCE_DIR) + "/tests/models/";

CompileOptions named(const std::string& name, const std::string& model) {
  CompileOptions options;
  options.name = name;
  options.model = kModels + model + "/model.onnx";
  return options;
}

VerifyOptions on(const std::string& hardware) {
  VerifyOptions options;
  options.compile.name = "whole";
  options.compile.model = "whole";
  options.hardware = project_hardware(hardware);
  options.fast = true;
  return options;
}

void expect_agrees(const VerifyOptions& options, const std::vector<CompileOptions>& models) {
  const SeveralVerdict verdict = verify_several(options, models);
  EXPECT_EQ(verdict.models.size(), models.size() + 1);
  EXPECT_TRUE(verdict.agrees()) << verdict_text(verdict);
  for (const Verdict& one : verdict.models) EXPECT_FALSE(one.data_sets.empty()) << one.model;
}

template <class Body>
void expect_refused(Body&& body, const std::string& rule, const std::string& part) {
  const std::string line = refusal(body);
  EXPECT_NE(line.find("[" + rule + "]"), std::string::npos) << line;
  EXPECT_NE(line.find(part), std::string::npos) << line;
}

// Sizes of one name in two models, a loop, the same model twice, sizes that the run decides.
TEST(EmittedSeveral, ModelsAgreeAloneAndTogether) {
  VerifyOptions options = on("cpp-generic");
  options.compile.weights = WeightsMode::blob;
  expect_agrees(options, {named("a", "softmax_sym"), named("b", "softmax_sym"),
                          named("c", "loop_bounded"), named("d", "nonzero")});
}

TEST(EmittedSeveral, ModelsAgreeWithWeightsInTheProgram) {
  VerifyOptions options = on("cpp-generic");
  options.compile.weights = WeightsMode::embed;
  expect_agrees(options, {named("a", "lstm"), named("b", "relu_sym"), named("c", "lstm")});
}

TEST(EmittedSeveral, ModelsAgreeOnPoclWithJointLaunches) {
  VerifyOptions options = on("pocl");
  options.compile.parallel_fusion = ParallelFusion::all;
  std::vector<CompileOptions> models = {named("a", "branches"), named("b", "softmax_sym")};
  for (CompileOptions& one : models) one.parallel_fusion = ParallelFusion::all;
  const Several several = compile_several(models, options.compile, options.hardware);
  bool across = false;
  for (const LaunchDecision& decision : several.joint.plan.groups.decisions)
    across |= decision.joint && decision.kernel[0] != decision.beside[0];
  EXPECT_TRUE(across) << to_string(several.joint.plan.groups);
  expect_agrees(options, models);
}

// The bytes of a model's constants, its kernels and the runtime are there once.
TEST(EmittedSeveral, NothingIsThereTwice) {
  CompileOptions joint;
  joint.name = "whole";
  joint.weights = WeightsMode::blob;
  const Hardware hardware = project_hardware("cpp-generic");
  const auto entries = [&](const std::vector<std::string>& models) {
    std::vector<CompileOptions> options;
    for (const std::string& model : models) {
      options.push_back(named("m" + std::to_string(options.size()), model));
      options.back().weights = WeightsMode::blob;
    }
    const Several several = compile_several(options, joint, hardware);
    std::vector<const ModelPlan*> plans;
    for (const Compiled& one : several.models) plans.push_back(&one.plan);
    const cpp::EmittedTree emitted = emit_tree(several.joint.plan, plans);
    std::map<std::string, size_t> sizes;
    for (const auto& [path, entry] : emitted.tree.entries()) {
      sizes[path] = entry.bytes.size();
      if (entry.stream) {
        entry.stream([&, name = path](std::string_view bytes) { sizes[name] += bytes.size(); });
      }
    }
    return sizes;
  };
  const auto once = entries({"lstm", "relu_sym"}), twice = entries({"lstm", "relu_sym", "lstm"});
  EXPECT_EQ(once.at("weights/whole.bin"), twice.at("weights/whole.bin"));
  std::set<std::string> runtime;
  for (const auto& [path, bytes] : once) {
    if (path.starts_with("src/rt/")) runtime.insert(path);
  }
  for (const auto& [path, bytes] : twice)
    EXPECT_TRUE(!path.starts_with("src/rt/") || runtime.contains(path));
  EXPECT_FALSE(once.contains("weights/m0.bin"));
}

TEST(EmittedSeveral, DimsReachTheModelsThatHaveThem) {
  const auto compiled = [](const std::string& dim) {
    std::vector<CompileOptions> models = {named("a", "softmax_sym"), named("b", "relu_sym")};
    for (CompileOptions& one : models) one.import.dims = {parse_dim_binding(dim)};
    CompileOptions joint;
    joint.name = "whole";
    return compile_several(models, joint, project_hardware("cpp-generic"));
  };
  const auto maximum = [](const Compiled& one, const std::string& name) -> int64_t {
    for (const Symbol& symbol : one.plan.graph.symbols) {
      if (symbol->name == name) return symbol->max;
    }
    return 0;
  };
  const std::string size = compile(named("b", "relu_sym"), project_hardware("cpp-generic"))
                               .plan.graph.symbols.at(0)
                               ->name;
  const Several one = compiled("b/" + size + "=1..7");
  EXPECT_EQ(maximum(one.models[1], size), 7);
  EXPECT_EQ(maximum(one.joint, "b." + size), 7);
  const Several whoever = compiled(size + "=1..9");
  EXPECT_EQ(maximum(whoever.joint, "b." + size), 9);
  expect_refused([&] { compiled("c/" + size + "=1..7"); }, "symbol", "c/" + size);
}

TEST(EmittedSeveral, NamesThatWouldMeetAreRefused) {
  const auto compiled = [](const std::string& a, const std::string& b, const std::string& all) {
    CompileOptions joint;
    joint.name = all;
    return compile_several({named(a, "relu_sym"), named(b, "relu_sym")}, joint,
                           project_hardware("cpp-generic"));
  };
  expect_refused([&] { compiled("a", "a", "whole"); }, "name-collision", "are named 'a'");
  expect_refused([&] { compiled("a", "A", "whole"); }, "name-collision", "'A'");
  expect_refused([&] { compiled("a", "b", "a"); }, "name-collision", "are named 'a'");
  expect_refused([&] { compiled("a", "a_weights", "whole"); }, "name-collision", "'a_weights'");
  EXPECT_EQ(compiled("a", "b", "").joint.plan.name, "a_b");
}

// A dynamic size of one of them, by a name for all and by that model's own.
TEST(EmittedSeveral, SizesOfTheRunHaveBounds) {
  CompileOptions whole;
  whole.name = "whole";
  for (const char* dim : {"nonzero_count=0..7", "d/nonzero_count=0..7"}) {
    std::vector<CompileOptions> models = {named("a", "softmax_sym"), named("d", "nonzero"),
                                          named("e", "relu_sym")};
    for (CompileOptions& one : models) one.import.dims = {parse_dim_binding(dim)};
    const Several several = compile_several(models, whole, project_hardware("pocl"));
    const auto bound = [](const Compiled& one, const std::string& name) -> int64_t {
      int64_t most = -1;
      for_each_step(one.plan.graph.steps, [&](const Step& step) {
        const Procedure* const counts = std::get_if<Procedure>(&step);
        if (counts && !counts->results.empty() && counts->results[0]->name == name)
          most = counts->results[0]->max;
      });
      return most;
    };
    EXPECT_EQ(bound(several.models[1], "nonzero_count"), 7) << dim;
    EXPECT_EQ(bound(several.joint, "d_nonzero_count"), 7) << dim;
  }
  std::vector<CompileOptions> models = {named("a", "softmax_sym"), named("d", "nonzero")};
  for (CompileOptions& one : models) one.import.dims = {parse_dim_binding("Zero_count=1..7")};
  expect_refused([&] { compile_several(models, whole, project_hardware("pocl")); }, "symbol",
                 "'d/nonzero_count'");
}

}  // namespace
}  // namespace burin::emitted_several_test
