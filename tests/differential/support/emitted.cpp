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
constexpr const char* kOnnxData = "/usr/share/libonnx-testdata/data";

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

}  // namespace

Hardware project_hardware(const std::string& name) {
  return load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/" + name + ".json");
}

std::string onnx_root() { return setting("BURIN_ONNX_DATA", kOnnxData); }

std::vector<std::string> onnx_cases() {
  std::vector<std::string> cases = find_cases(onnx_root());
  const std::string wanted = setting("BURIN_ONNX_CASES", "");
  std::erase_if(cases, [&](const auto& path) {
    return path.find(wanted) == std::string::npos || is_open_case(path);
  });
  return cases;
}

void expect_all_pass(const std::vector<std::string>& cases, const VerifyOptions& options) {
  ASSERT_FALSE(cases.empty());
  const std::vector<CaseVerdict> verdicts = verify_all(cases, onnx_root(), options, kJobs);
  for (const CaseVerdict& one : verdicts) {
    EXPECT_EQ(one.outcome, CaseOutcome::passed) << one.path << ": " << one.message;
  }
  std::cout << summary_text(verdicts);
}

void expect_pass_but_listed(ListedRun run, const std::vector<std::string>& cases,
                            const VerifyOptions& options, bool whole) {
  ASSERT_FALSE(cases.empty()) << "no cases in " << onnx_root() << "; install libonnx-testdata";
  const std::vector<CaseVerdict> verdicts = verify_all(cases, onnx_root(), options, kJobs);
  std::vector<Found> found;
  for (const CaseVerdict& one : verdicts) {
    if (one.outcome == CaseOutcome::failed) ADD_FAILURE() << one.path << ": " << one.message;
    found.push_back({one.path, one.outcome == CaseOutcome::passed, one.rule, one.message});
  }
  std::cout << summary_text(verdicts);
  if (onnx_root() != kOnnxData) return;
  for (const std::string& folder : find_cases(onnx_root())) {
    if (whole && is_open_case(folder))
      found.push_back({folder.substr(onnx_root().size() + 1), false, "open", {}});
  }
  expect_as_listed(run, found, whole && setting("BURIN_ONNX_CASES", "").empty());
}

}  // namespace burin
