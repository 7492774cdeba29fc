#include "errors/support/golden_table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace burin {

std::string golden_folder() { return std::string(BURIN_SOURCE_DIR) + "/tests/errors/golden"; }

std::vector<std::string> golden_tables() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder())) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<GoldenCase> read_golden_table(const std::string& name) {
  std::ifstream in(golden_folder() + "/" + name);
  std::vector<GoldenCase> cases(1);
  for (std::string line; std::getline(in, line);) {
    const bool expected = line.starts_with("=> ");
    if (!expected && !cases.back().expected.empty()) cases.emplace_back();
    (expected ? cases.back().expected : cases.back().text) += line + "\n";
  }
  return cases;
}

}  // namespace burin
