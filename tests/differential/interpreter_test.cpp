// The ONNX project's own test data through import, lowering and the interpreter. A case counts
// unless burin refuses its operators by name; BURIN_ONNX_DATA names another folder of cases,
// BURIN_ONNX_CASES keeps those whose path contains it and prints them one by one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "differential/support/onnx_case.h"
#include "report/data_set.h"

namespace burin {
namespace {

// Cases that passed when this was last raised; it only goes up.
constexpr int kAtLeastPassed = 639;

// Refusals that are right, beside those by a rule "unsupported-...".
bool rightly_refused(const std::string& name, const CaseResult& result) {
  // Training operators of a preview domain, and an attribute of sequence type.
  if (result.rule == "version" || result.rule == "attribute") return true;
  // The data contradict the model: "like" is declared [3, 4] and given as one element.
  return result.rule == "shape-mismatch" && name.find("test_castlike_") != std::string::npos;
}

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

TEST(OnnxData, InterpreterAgrees) {
  const std::string root = setting("BURIN_ONNX_DATA", "/usr/share/libonnx-testdata/data");
  const std::string wanted = setting("BURIN_ONNX_CASES", "");
  const std::vector<std::string> cases = find_cases(root);
  ASSERT_FALSE(cases.empty()) << "no cases in " << root << "; install libonnx-testdata";

  std::map<Outcome, int> counts;
  std::map<std::string, int> refusals;
  int held = 0;
  for (const std::string& folder : cases) {
    if (folder.find(wanted) == std::string::npos) continue;
    const CaseResult result = run_onnx_case(folder);
    ++counts[result.outcome];
    if (!result.held.empty()) ++held;
    const std::string name = folder.substr(root.size() + 1);
    if (!wanted.empty()) {
      std::cout << name << ": " << (result.outcome == Outcome::passed ? "passed" : result.message)
                << (result.held.empty() ? "" : ", held: " + result.held) << "\n";
    }
    if (result.outcome == Outcome::failed) ADD_FAILURE() << name << ": " << result.message;
    if (result.outcome != Outcome::refused) continue;
    ++refusals[result.rule];
    EXPECT_TRUE(rightly_refused(name, result)) << name << ": " << result.message;
  }
  std::cout << counts[Outcome::passed] << " passed (" << held << " with an input held constant), "
            << counts[Outcome::unsupported] << " need what burin lacks, "
            << counts[Outcome::refused] << " refused, " << counts[Outcome::failed] << " failed\n";
  for (const auto& [rule, count] : refusals)
    std::cout << "  refused: " << count << " " << rule << "\n";
  if (wanted.empty()) {
    EXPECT_GE(counts[Outcome::passed], kAtLeastPassed);
  }
}

}  // namespace
}  // namespace burin
