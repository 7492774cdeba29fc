// Large inputs, to measure the packer on: the same text for the same count, on every machine.
#pragma once

#include <string>

#include "vliw/assembly.h"

namespace burin::vliw::testing {

// At least `count` instructions, one per packet, of
//   compiled  clang's unpacked text of tests/vliw/data, again and again, labels renamed
//   random    functions of 10 to 40 instructions of all forms, with loops and skips
//   searched  blocks of 60 instructions: as large as the branch and bound takes
//   straight  functions of 2000 instructions without a label: the largest blocks there are
//   memory    the same of loads and stores over four pointers: the densest dependence graphs
std::string large_input(const std::string& kind, int count, const Machine& machine);

// Instructions in a module.
int instructions_of(const Module& module);

}  // namespace burin::vliw::testing
