// The ONNX project's own test data through emitted code: generated, compiled, run and compared, all
// of it with g++ and a sample with every other toolchain. BURIN_ONNX_DATA names another folder of
// cases; BURIN_ONNX_CASES keeps those whose path contains it.
#include <gtest/gtest.h>

#include "differential/support/emitted.h"

namespace burin {
namespace {

// Cases that passed when this was last raised; it only goes up.
constexpr int kAtLeastPassed = 970;
// Of the sample, which has refused cases too.
constexpr size_t kSample = 160;
constexpr int kAtLeastPassedOfSample = 130;

VerifyOptions options_for(const std::string& hardware, const std::string& compiler) {
  VerifyOptions options;
  options.hardware = project_hardware(hardware);
  options.compiler = compiler;
  options.fast = options.hold_inputs = true;
  return options;
}

void expect_sample_passes(const VerifyOptions& options) {
  expect_all_pass(sample(onnx_cases(), kSample), options, kAtLeastPassedOfSample);
}

TEST(EmittedOnnx, AllAgreeWithGcc) {
  expect_all_pass(onnx_cases(), options_for("cpp-generic", "g++"), kAtLeastPassed);
}

TEST(EmittedOnnx, SampleAgreesWithClang) {
  expect_sample_passes(options_for("cpp-generic", "clang++"));
}

TEST(EmittedOnnx, SampleIsCleanUnderSanitizers) {
  VerifyOptions options = options_for("cpp-generic", "g++");
  options.sanitize = true;
  expect_sample_passes(options);
}

TEST(EmittedOnnx, SampleAgreesWithVectorRegisters) {
  expect_sample_passes(options_for("x86-64-v3", "g++"));
}

TEST(EmittedOnnx, SampleAgreesOnAarch64) {
  expect_sample_passes(options_for("armv8-neoverse-n1", "g++"));
}

TEST(EmittedOnnx, SampleAgreesFreestandingOnHexagon) {
  expect_sample_passes(options_for("hexagon-v66", "clang++"));
}

}  // namespace
}  // namespace burin
