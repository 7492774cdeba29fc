// A line of memory is asked for before it is read.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// The line `ahead` bytes (its size) behind an element. It computes nothing: there need be nothing
// there. "prefetch".
std::vector<Instruction> prefetch_rows();
const Instruction* prefetch_row();

}  // namespace burin::isa
