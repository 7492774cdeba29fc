// Mutated packings against the checker, the assembler and the emulator.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vliw/support/differential.h"

namespace burin::vliw::testing {

// Of one kind of mistake: how many there were, how many change the result or are refused by the
// assembler, and how many of these the checker caught.
struct KindCounts {
  int made = 0, matter = 0, caught = 0;
};

struct MutationCounts {
  int made = 0;          // mutants
  int of_pipelined = 0;  // of those, of programs with a pipelined loop
  int caught = 0;        // refused by the checker
  int refused = 0;       // of those, refused by the assembler too
  int changed = 0;       // of those that the assembler takes, with another result on the emulator
  int harmless = 0;      // not caught, and the emulator sees no difference
  std::map<std::string, KindCounts> kinds;
  std::vector<std::string> missed;  // not caught, and the result changes or the assembler refuses
};

// `count` mutants of random programs, some of each. Every mutant is run in a process of its own.
MutationCounts mutation_round(const Machine& machine, const std::vector<const Form*>& forms,
                              uint64_t seed, int count, const std::string& folder,
                              std::string& error);

}  // namespace burin::vliw::testing
