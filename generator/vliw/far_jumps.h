// Jumps whose label is too far for the word that they have. The assembler gives such a jump a
// constant extender where its packet has room for one; where it has none, the jump must bring its
// own, which is known only when all is placed.
#pragma once

#include <set>
#include <string>

#include "vliw/machine.h"
#include "vliw/program.h"

namespace burin::vliw {

// Labels that jumps in full packets may not reach. Distances are counted with room to spare.
std::set<std::string> labels_too_far(const Module& module, const Machine& machine);

// Gives the block's jumps to these labels an extender.
void extend_jumps(Block& block, const std::set<std::string>& labels);

}  // namespace burin::vliw
