// The ONNX project's own test data through emitted code: generated, compiled, run and compared, all
// of it with g++, a fifth each with clang and under sanitizers, a sample with other targets. What
// does not pass is what data/onnx_not_passed.txt lists. BURIN_ONNX_DATA names another folder of
// cases, of which the list says nothing; BURIN_ONNX_CASES keeps those whose path contains it.
#include <gtest/gtest.h>

#include <algorithm>

#include "differential/support/emitted.h"
#include "differential/support/onnx_case.h"

namespace burin::emitted_onnx_test {
namespace {

constexpr size_t kSample = 160;
// One case in so many, for each switch; OnnxData.KernelsAgreeWithEachFusionSwitchedOff asks the
// kernels of one in four.
constexpr size_t kSwitchedStep = 96;
constexpr const char* kCounting[] = {"resize", "conv", "dft", "stft", "unpool", "upsample"};

VerifyOptions options_for(const std::string& hardware, const std::string& compiler) {
  VerifyOptions options;
  options.hardware = project_hardware(hardware);
  options.compiler = compiler;
  options.fast = options.hold_inputs = true;
  return options;
}

void expect_sample_passes(const VerifyOptions& options) {
  expect_pass_but_listed(ListedRun::emitted, sample(onnx_cases(), kSample), options);
}

TEST(EmittedOnnx, AllAgreeWithGcc) {
  expect_pass_but_listed(ListedRun::emitted, onnx_cases(), options_for("cpp-generic", "g++"), true);
}

// Whether the sizes of inputs tell those of all outputs.
bool outputs_follow_from_inputs(const std::string& folder) {
  const std::optional<Lowered> lowered = lower_onnx_case(folder, true);
  if (!lowered) return false;
  std::vector<Symbol> symbols;
  for (const ValueId output : lowered->graph.outputs) {
    for (const Dim& dim : lowered->graph.values[static_cast<size_t>(output)].shape)
      dim.collect_symbols(symbols);
  }
  return std::all_of(symbols.begin(), symbols.end(),
                     [](const Symbol& symbol) { return symbol->origin == SymbolOrigin::param; });
}

// Dynamic sizes: one sample, and all that resizes, slides or transforms, whose
// places are counted along symbolic extents.
TEST(EmittedOnnx, SampleAgreesWithSymbolicShapes) {
  VerifyOptions options = options_for("cpp-generic", "g++");
  options.compile.adjust = [](Graph graph) { return with_symbolic_extents(graph); };
  std::vector<std::string> cases;
  std::vector<std::string> others;
  for (const std::string& folder : onnx_cases()) {
    const bool counts =
        std::any_of(std::begin(kCounting), std::end(kCounting),
                    [&](const char* name) { return folder.find(name) != std::string::npos; });
    if (outputs_follow_from_inputs(folder)) (counts ? cases : others).push_back(folder);
  }
  for (std::string& folder : sample(others, kSample / 2)) cases.push_back(std::move(folder));
  expect_pass_but_listed(ListedRun::symbolic, cases, options);
}

// Every fusion switched off alone, and all of them: another sample for each.
TEST(EmittedOnnx, SamplesAgreeWithFusionsSwitchedOff) {
  const std::vector<std::string> all = onnx_cases();
  const std::vector<FuseOptions> switched = fuse_options_with_one_off();
  for (size_t k = 0; k < switched.size(); ++k) {
    std::vector<std::string> cases;
    for (size_t i = k; i < all.size(); i += kSwitchedStep) cases.push_back(all[i]);
    VerifyOptions options = options_for("cpp-generic", "g++");
    options.compile.fuse = switched[k];
    expect_pass_but_listed(ListedRun::emitted, cases, options);
  }
}

// All of them take as long as the rest of the suite: `burin verify --all` with --compiler or
// --sanitize.
std::vector<std::string> one_in(size_t many, size_t first) {
  const std::vector<std::string> all = onnx_cases();
  std::vector<std::string> out;
  for (size_t i = first; i < all.size(); i += many) out.push_back(all[i]);
  return out;
}

TEST(EmittedOnnx, EveryFifthAgreesWithClang) {
  expect_pass_but_listed(ListedRun::emitted, one_in(5, 0), options_for("cpp-generic", "clang++"));
}

TEST(EmittedOnnx, EveryFifthIsCleanUnderSanitizers) {
  VerifyOptions options = options_for("cpp-generic", "g++");
  options.sanitize = true;
  expect_pass_but_listed(ListedRun::emitted, one_in(5, 2), options);
}

TEST(EmittedOnnx, SampleAgreesWithVectorRegisters) {
  expect_sample_passes(options_for("x86-64-v3", "g++"));
}

TEST(EmittedOnnx, SampleAgreesOnAarch64) {
  expect_sample_passes(options_for("armv8-neoverse-n1", "g++"));
}

// Half as many: EmittedModels asks the same of the kernels of models, and an emulated case takes
// twice the time of others.
TEST(EmittedOnnx, SampleAgreesFreestandingOnHexagon) {
  expect_pass_but_listed(ListedRun::emitted, sample(onnx_cases(), kSample / 2),
                         options_for("hexagon-v66", "clang++"));
}

}  // namespace
}  // namespace burin::emitted_onnx_test
