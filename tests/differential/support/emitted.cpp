#include "differential/support/emitted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "differential/support/onnx_case.h"
#include "hardware/load.h"
#include "report/data_set.h"

namespace burin {
namespace {

constexpr int kJobs = 2;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

}  // namespace

Hardware project_hardware(const std::string& name) {
  return load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/" + name + ".json");
}

std::string onnx_root() { return setting("BURIN_ONNX_DATA", "/usr/share/libonnx-testdata/data"); }

std::vector<std::string> onnx_cases() {
  std::vector<std::string> cases = find_cases(onnx_root());
  const std::string wanted = setting("BURIN_ONNX_CASES", "");
  std::erase_if(cases, [&](const auto& path) {
    return path.find(wanted) == std::string::npos || is_open_case(path);
  });
  return cases;
}

void expect_all_pass(const std::vector<std::string>& cases, const VerifyOptions& options,
                     int at_least) {
  ASSERT_FALSE(cases.empty()) << "no cases in " << onnx_root() << "; install libonnx-testdata";
  const std::vector<CaseVerdict> verdicts = verify_all(cases, onnx_root(), options, kJobs);
  int passed = 0;
  for (const CaseVerdict& one : verdicts) {
    if (one.outcome == CaseOutcome::passed) ++passed;
    if (one.outcome == CaseOutcome::failed) ADD_FAILURE() << one.path << ": " << one.message;
  }
  std::cout << summary_text(verdicts);
  EXPECT_GE(passed, at_least);
}

}  // namespace burin
