// The tables of tests/errors/golden: tiny models, each followed by what is printed for it.
#pragma once

#include <string>
#include <vector>

namespace burin {

struct GoldenCase {
  std::string text;      // title and model, with their newlines
  std::string expected;  // lines, one "=> " each
};

std::string golden_folder();
std::vector<std::string> golden_tables();  // names of files, sorted

// A case ends with its expected lines; blank lines between cases are part of the next one.
std::vector<GoldenCase> read_golden_table(const std::string& name);

}  // namespace burin
