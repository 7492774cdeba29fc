// Original against packed on the emulator.
#pragma once

#include <string>
#include <vector>

#include "vliw/pack.h"
#include "vliw/support/random_assembly.h"

namespace burin::vliw::testing {

// The usable forms that the assembler and the emulator take; each was run once.
std::vector<const Form*> runnable_forms(const Machine& machine, const std::string& folder);

struct Difference {
  int function = 0;
  std::string original, packed;  // the driver's lines
};

// Packs `count` random functions under the policy and compares. error: anything that went wrong
// before.
std::vector<Difference> compare_random(const Machine& machine,
                                       const std::vector<const Form*>& forms, uint64_t seed,
                                       int count, int size, const PackOptions& options,
                                       const std::string& folder, std::string& error);

}  // namespace burin::vliw::testing
