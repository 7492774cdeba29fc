// The ONNX project's own test data through import, lowering and the interpreter. A case counts
// unless burin refuses its operators by name; BURIN_ONNX_DATA names another folder of cases,
// BURIN_ONNX_CASES keeps those whose path contains it and prints them one by one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>

#include "differential/support/onnx_case.h"
#include "report/data_set.h"

namespace burin {
namespace {

// Cases that passed when this was last raised; it only goes up. Open cases, whose values are not
// compared, are counted apart, and there are no more of them than these.
constexpr int kAtLeastPassed = 998;
constexpr int kAtLeastPassedSymbolic = 993;
constexpr int kMostOpen = 7;

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

struct Totals {
  std::map<Outcome, int> outcomes;
  std::map<std::string, int> refusals;  // by rule
  int held = 0;
};

void print(const Totals& totals) {
  const auto count = [&](Outcome outcome) {
    const auto at = totals.outcomes.find(outcome);
    return at == totals.outcomes.end() ? 0 : at->second;
  };
  std::cout << count(Outcome::passed) << " passed (" << totals.held
            << " with an input held constant), " << count(Outcome::open)
            << " with values left open, " << count(Outcome::unsupported)
            << " need what burin lacks, " << count(Outcome::refused) << " refused, "
            << count(Outcome::failed) << " failed\n";
  for (const auto& [rule, number] : totals.refusals)
    std::cout << "  refused: " << number << " " << rule << "\n";
}

// Runs all cases; expects that none fails and that `may_refuse` holds for every refusal.
void run_all(const CaseOptions& options, int at_least,
             const std::function<bool(const std::string&, const CaseResult&)>& may_refuse) {
  const std::string root = setting("BURIN_ONNX_DATA", "/usr/share/libonnx-testdata/data");
  const std::string wanted = setting("BURIN_ONNX_CASES", "");
  const std::vector<std::string> cases = find_cases(root);
  ASSERT_FALSE(cases.empty()) << "no cases in " << root << "; install libonnx-testdata";
  Totals totals;
  for (const std::string& folder : cases) {
    if (folder.find(wanted) == std::string::npos) continue;
    const CaseResult result = run_onnx_case(folder, options);
    ++totals.outcomes[result.outcome];
    if (!result.held.empty()) ++totals.held;
    const std::string name = folder.substr(root.size() + 1);
    if (!wanted.empty()) {
      std::cout << name << ": "
                << (result.outcome == Outcome::passed ? "passed"
                    : result.outcome == Outcome::open ? "open"
                                                      : result.message)
                << (result.held.empty() ? "" : ", held: " + result.held) << "\n";
    }
    if (result.outcome == Outcome::failed) ADD_FAILURE() << name << ": " << result.message;
    if (result.outcome != Outcome::refused) continue;
    ++totals.refusals[result.rule];
    EXPECT_TRUE(may_refuse(name, result)) << name << ": " << result.message;
  }
  print(totals);
  EXPECT_LE(totals.outcomes[Outcome::open], kMostOpen);
  if (wanted.empty()) {
    EXPECT_GE(totals.outcomes[Outcome::passed], at_least);
  }
}

// What a size decides (a rank, a number of outputs) is refused where the size is a symbol.
bool rightly_refused_symbolic(const std::string& name, const CaseResult& result) {
  return result.rule == "dynamic-shape" || rightly_refused(name, result);
}

TEST(OnnxData, InterpreterAgrees) { run_all({}, kAtLeastPassed, rightly_refused); }

TEST(OnnxData, InterpreterAgreesWithSymbolicShapes) {
  run_all({.symbolic = true}, kAtLeastPassedSymbolic, rightly_refused_symbolic);
}

TEST(OnnxData, FusedKernelsAgree) {
  run_all({.fuse = FuseOptions()}, kAtLeastPassed, rightly_refused);
}

TEST(OnnxData, KernelsAgreeWithEachFusionSwitchedOff) {
  for (const FuseOptions& options : fuse_options_with_one_off())
    run_all({.fuse = options}, kAtLeastPassed, rightly_refused);
}

TEST(OnnxData, FusedKernelsAgreeWithSymbolicShapes) {
  run_all({.symbolic = true, .fuse = FuseOptions()}, kAtLeastPassedSymbolic,
          rightly_refused_symbolic);
}

TEST(OnnxData, NothingDependsOnFolding) {
  run_all({.lower = {.fold_constants = false}}, kAtLeastPassed, rightly_refused);
}

}  // namespace
}  // namespace burin
