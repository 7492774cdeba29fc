// Numbers that are known before a program runs: what constants are called, and conditions that hold
// at all points of the loops around them, or at none.
#pragma once

#include "loops/program.h"

namespace burin::loops {

// Lets of constants are gone: what reads them says the number. A branch whose condition, or its
// opposite, is proven at every point that the loops around it have is a block without a condition,
// which goes with without_idle_loops(). A Let that says where a part of a loop over threads ends
// stays.
Stmts with_known_numbers(const Stmts& stmts);

}  // namespace burin::loops
