// The ONNX project's own test data through import, lowering and the interpreter. What does not pass
// is what data/onnx_not_passed.txt lists, no more and no less. BURIN_ONNX_DATA names another folder
// of cases, BURIN_ONNX_CASES keeps those whose path contains it and prints them one by one; the
// list says nothing of either, and only what fails counts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "differential/support/onnx_case.h"
#include "differential/support/onnx_list.h"
#include "report/data_set.h"

namespace burin::interpreter_test {
namespace {

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

// The cases that pass only with the contents of an input held constant.
std::set<std::string> listed_as_held() {
  std::ifstream file(std::string(BURIN_SOURCE_DIR) + "/tests/differential/data/onnx_held.txt");
  std::set<std::string> out;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') out.insert(line.substr(0, line.find(' ')));
  }
  return out;
}

const char* const kData = "/usr/share/libonnx-testdata/data";

// Runs all cases; expects that none fails and that those which do not pass are the listed ones.
void run_all(const CaseOptions& options) {
  const std::string root = setting("BURIN_ONNX_DATA", kData);
  const std::string wanted = setting("BURIN_ONNX_CASES", "");
  const std::vector<std::string> cases = find_cases(root);
  ASSERT_FALSE(cases.empty()) << "no cases in " << root << "; install libonnx-testdata";
  Totals totals;
  std::vector<Found> found;
  std::set<std::string> held;
  for (const std::string& folder : cases) {
    if (folder.find(wanted) == std::string::npos) continue;
    const CaseResult result = run_onnx_case(folder, options);
    ++totals.outcomes[result.outcome];
    if (!result.held.empty()) ++totals.held;
    const std::string name = folder.substr(root.size() + 1);
    if (!result.held.empty()) held.insert(name);
    const bool open = result.outcome == Outcome::open;
    if (!wanted.empty()) {
      std::cout << name << ": "
                << (result.outcome == Outcome::passed ? "passed"
                    : open                            ? "open"
                                                      : result.message)
                << (result.held.empty() ? "" : ", held: " + result.held) << "\n";
    }
    if (result.outcome == Outcome::failed) ADD_FAILURE() << name << ": " << result.message;
    if (result.outcome == Outcome::refused) ++totals.refusals[result.rule];
    found.push_back(
        {name, result.outcome == Outcome::passed, open ? "open" : result.rule, result.message});
  }
  print(totals);
  const bool all = root == kData && wanted.empty();
  if (all && !options.symbolic) {
    EXPECT_EQ(held, listed_as_held());
  }
  if (all)
    expect_as_listed(options.symbolic ? ListedRun::symbolic : ListedRun::interpreter, found, true);
}

TEST(OnnxData, InterpreterAgrees) { run_all({}); }

TEST(OnnxData, InterpreterAgreesWithSymbolicShapes) { run_all({.symbolic = true}); }

TEST(OnnxData, FusedKernelsAgree) { run_all({.fuse = fuse_options_of_a_cpu()}); }

// One case in so many for each switch, others for the next one, so that every case meets a quarter
// of them: a case is some variants of an operator, and its neighbour is another one.
constexpr size_t kSwitchedCases = 4;

TEST(OnnxData, KernelsAgreeWithEachFusionSwitchedOff) {
  const std::string root = setting("BURIN_ONNX_DATA", kData);
  const std::vector<std::string> cases = find_cases(root);
  ASSERT_FALSE(cases.empty()) << "no cases in " << root << "; install libonnx-testdata";
  const std::vector<FuseOptions> switched = fuse_options_with_one_off();
  for (size_t k = 0; k < switched.size(); ++k) {
    for (size_t i = k % kSwitchedCases; i < cases.size(); i += kSwitchedCases) {
      const CaseResult result = run_onnx_case(cases[i], {.fuse = switched[k]});
      EXPECT_NE(result.outcome, Outcome::failed) << cases[i] << ": " << result.message;
    }
  }
}

TEST(OnnxData, FusedKernelsAgreeWithSymbolicShapes) {
  run_all({.symbolic = true, .fuse = fuse_options_of_a_cpu()});
}

TEST(OnnxData, NothingDependsOnFolding) { run_all({.lower = {.fold_constants = false}}); }

}  // namespace
}  // namespace burin::interpreter_test
