// Which registers are read before they are written again, from each place of a program on.
#pragma once

#include <vector>

#include "vliw/blocks.h"

namespace burin::vliw {

// What a return reads. With the calling convention: results, saved registers and what callers keep;
// without it: everything, so that no register is free only because a function ends.
enum class AtReturn { kConvention, kEverything };

// live[s]: registers that are live where segment s starts; live[segments.size()]: at the end of the
// file, where everything is. Calls, unknown instructions and jumps to places outside the file read
// everything; the end of a loop goes back to the labels of the set-ups that reach it.
// O(rounds * units), rounds at most the depth of loops plus 2 on the code of compilers.
std::vector<RegisterSet> live_at(const Program& program, AtReturn at_return);

}  // namespace burin::vliw
