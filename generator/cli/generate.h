// burin generate as a function: regenerate gives it the flags that a tree remembers.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"

namespace burin {

struct GenerateFlags : CommonFlags {
  std::string output;
  std::vector<std::string> test_data;
  bool check = false;
};

// Returns the exit code.
int run_generate(const GenerateFlags& flags);

}  // namespace burin
