// Original against packed on the emulator.
#pragma once

#include <string>
#include <vector>

#include "vliw/packer.h"
#include "vliw/support/random_assembly.h"

namespace burin::vliw::testing {

// The usable forms that the assembler takes, alone and with any operands.
std::vector<const Form*> assembled_forms(const Machine& machine, const std::string& folder);

// Those that the emulator takes too and that it knows as what they are; each was run once.
std::vector<const Form*> runnable_forms(const Machine& machine, const std::string& folder);

struct Difference {
  int function = 0;
  std::string original, packed;  // the driver's lines
};

enum class Programs { kMixed, kLoops };  // random_function, random_loop_function

// Random functions and what they do as they are; run once, compared with any number of packings.
struct Originals {
  Population drawn;
  std::string text;
  std::vector<std::string> results;  // the driver's lines
};
Originals run_originals(const Machine& machine, const std::vector<const Form*>& forms,
                        uint64_t seed, int count, int size, Programs programs,
                        const std::string& folder, std::string& error);

// Packs them under the policy and compares all registers and all memory, so no register counts as
// free because a function returns. error: anything that went wrong before. pipelined: if not null,
// gains the number of pipelined loops.
std::vector<Difference> compare(const Originals& originals, const PackOptions& options,
                                const std::string& folder, std::string& error,
                                int* pipelined = nullptr);

// Both, for one policy.
std::vector<Difference> compare_random(const Machine& machine,
                                       const std::vector<const Form*>& forms, uint64_t seed,
                                       int count, int size, const PackOptions& options,
                                       const std::string& folder, std::string& error,
                                       Programs programs = Programs::kMixed,
                                       int* pipelined = nullptr);

}  // namespace burin::vliw::testing
