// Whole programs in C (tests/vliw/programs), as clang-19 writes them and as they are packed, on the
// emulator.
#pragma once

#include <string>
#include <vector>

#include "vliw/policy.h"

namespace burin::vliw::testing {

struct Compilation {
  std::string version;  // "v66"
  std::string flags;    // "-O2 -mllvm -disable-packetizer -mno-nvj"
};

struct ProgramCounts {
  int compared = 0;                   // programs that printed the same, each policy for itself
  std::vector<std::string> problems;  // a line each: refused, warned of, not assembled, different
};

// Compiles all programs, packs them strictly under each policy, runtime included, and compares what
// they print.
ProgramCounts compare_programs(const Compilation& compilation, const std::vector<Policy>& policies,
                               const std::string& folder);

}  // namespace burin::vliw::testing
