#include "differential/support/onnx_list.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace burin {
namespace {

struct Listed {
  std::string op, rule;
  bool seen = false;
};

// Lines "RUNS CASE OPERATOR RULE # reason"; RUNS is `all`, or some of `interpreter`, `symbolic` and
// `emitted` with commas. OPERATOR is "-" where no operator is at fault.
std::map<std::string, Listed> listed_for(ListedRun run) {
  constexpr const char* kNames[] = {"interpreter", "symbolic", "emitted"};
  const std::string wanted = kNames[static_cast<size_t>(run)];
  std::map<std::string, Listed> out;
  std::ifstream file(std::string(BURIN_SOURCE_DIR) +
                     "/tests/differential/data/onnx_not_passed.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string runs, name, mark;
    Listed one;
    in >> runs >> name >> one.op >> one.rule >> mark;
    EXPECT_EQ(mark, "#") << line << ": without a reason";
    const bool concerns =
        runs == "all" || ("," + runs + ",").find("," + wanted + ",") != std::string::npos;
    if (!concerns) continue;
    EXPECT_TRUE(out.emplace(name, one).second) << name << " is listed twice";
  }
  EXPECT_FALSE(out.empty());
  return out;
}

}  // namespace

void expect_as_listed(ListedRun run, const std::vector<Found>& found, bool whole) {
  std::map<std::string, Listed> listed = listed_for(run);
  for (const Found& one : found) {
    const auto at = listed.find(one.name);
    if (at == listed.end()) {
      EXPECT_TRUE(one.passed) << one.name << " does not pass and is not listed: " << one.rule << " "
                              << one.message;
      continue;
    }
    at->second.seen = true;
    EXPECT_FALSE(one.passed) << one.name << " is listed and passes";
    if (one.passed) continue;
    EXPECT_EQ(one.rule, at->second.rule) << one.name << ": " << one.message;
    if (at->second.op != "-") {
      EXPECT_NE(one.message.find("(" + at->second.op + ")"), std::string::npos)
          << one.name << " names no operator " << at->second.op << ": " << one.message;
    }
  }
  if (!whole) return;
  for (const auto& [name, one] : listed)
    EXPECT_TRUE(one.seen) << name << " is listed and not there";
}

}  // namespace burin
