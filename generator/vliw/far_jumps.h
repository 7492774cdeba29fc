// Jumps and set-ups of loops whose label is too far for the word that they have. The assembler
// gives such a one a constant extender where its packet has room; where it has none (LLVM 19 dies
// of that), it must bring its own, which is known only when all is placed.
#pragma once

#include <set>
#include <string>

#include "vliw/blocks.h"
#include "vliw/machine.h"

namespace burin::vliw {

// Labels that jumps and loops in full packets may not reach. Distances are counted with room to
// spare.
std::set<std::string> labels_too_far(const Module& module, const Machine& machine);

// Gives the block's jumps and loops to these labels an extender. Did one of them have none?
bool extend_jumps(Block& block, const std::set<std::string>& labels);

}  // namespace burin::vliw
