// Calls of instructions as the statements of their meanings: what run_loops() executes, so that an
// instruction costs it what its elements do.
#pragma once

#include "loops/program.h"

namespace burin::loops {

// The program with the naive loops of each instruction over the regions in the place of its calls.
Program expand_calls(const Program& program);

}  // namespace burin::loops
