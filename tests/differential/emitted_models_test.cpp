// The models of tests/models and the digits network: one emitted tree each serves all data sets,
// which differ in the sizes of the same symbols; compiled as users do, operators by themselves
// mostly at once.
#include <gtest/gtest.h>

#include "differential/support/emitted.h"
#include "report/data_set.h"
#include "verify/verdict_text.h"

namespace burin::emitted_models_test {
namespace {

const std::string kTests = std::string(BURIN_SOURCE_DIR) + "/tests";

VerifyOptions as_users_do(const std::string& hardware) {
  VerifyOptions options;
  options.hardware = project_hardware(hardware);
  return options;
}

// `loop` runs as often as an input says, so that it needs a bound.
std::vector<std::string> models() {
  std::vector<std::string> cases = find_cases(kTests + "/models");
  EXPECT_EQ(std::erase(cases, kTests + "/models/loop"), 1U);
  return cases;
}

// One node or a few each; file by file they take as long as all others, and are asked no more than
// these.
bool is_operator_case(const std::string& folder) {
  return folder.find("/models/operators/") != std::string::npos;
}

TEST(EmittedModels, OneTreeServesAllDataSets) {
  std::vector<std::string> cases = models();
  std::vector<std::string> operators;
  for (const std::string& folder : models()) {
    if (is_operator_case(folder)) operators.push_back(folder);
  }
  std::erase_if(cases, is_operator_case);
  ASSERT_GT(operators.size(), cases.size());
  for (std::string& folder : sample(operators, operators.size() / 5))
    cases.push_back(std::move(folder));
  expect_all_pass(cases, as_users_do("cpp-generic"));
}

// As ONNX's own cases of operators are built (EmittedOnnx): at once.
TEST(EmittedModels, OperatorsAgree) {
  std::vector<std::string> cases = models();
  std::erase_if(cases, [](const auto& folder) { return !is_operator_case(folder); });
  VerifyOptions options = as_users_do("cpp-generic");
  options.fast = true;
  expect_all_pass(cases, options);
}

// With the flags of its description the hosted tree above is built; here the question is what a
// tree brings without a C library, at 32 bits, which takes no second optimised build of each, and
// EmittedOnnx asks it of other kernels.
TEST(EmittedModels, OneTreeServesAllDataSetsFreestanding) {
  VerifyOptions options = as_users_do("hexagon-v66");
  options.fast = true;
  expect_all_pass(sample(models(), 100), options);
}

TEST(EmittedModels, TripsOfALoopHaveTheBoundThatIsGiven) {
  VerifyOptions options = as_users_do("cpp-generic");
  options.compile.import.dims = {{.name = "trips", .min = 0, .max = 64}};
  expect_all_pass({kTests + "/models/loop"}, options);
}

// Every loop that may be cut is, and the second run of each data set computes one point at a time,
// last one first, under changing workers.
TEST(EmittedModels, ThreadsChangeNoBit) {
  VerifyOptions options = as_users_do("cpp-generic");
  options.hardware.threads_max = 3;
  options.hardware.thread_start_us = 0;
  options.fast = true;
  options.sanitize = true;
  expect_all_pass(sample(models(), 30), options);
}

// Axes and steps of a Slice are read while generating where they are held, and by the run where
// not.
TEST(EmittedModels, SliceTakesAxesFromTheRun) {
  VerifyOptions options = as_users_do("cpp-generic");
  options.compile.model = kTests + "/models/slice_runtime/model.onnx";
  options.hold_inputs = true;
  const Verdict verdict = verify(options);
  EXPECT_TRUE(verdict.agrees()) << verdict_text(verdict);
  EXPECT_EQ(verdict.held, "");
}

TEST(EmittedModels, DigitsAgree) {
  VerifyOptions options = as_users_do("cpp-generic");
  options.compile.model = kTests + "/digits/digits.onnx";
  const Verdict verdict = verify(options);
  EXPECT_TRUE(verdict.agrees()) << verdict_text(verdict);
  EXPECT_EQ(verdict.data_sets.size(), 2U);
  EXPECT_EQ(verdict.held, "");
}

}  // namespace
}  // namespace burin::emitted_models_test
