// Names of numbers and variables that nothing reads, loops that do not turn, and branches that are
// settled.
#pragma once

#include "loops/program.h"

namespace burin::loops {

// The statements without Lets that nothing behind them in their block reads. A Let that says where
// a part of a loop over threads ends stays.
Stmts without_idle_lets(const Stmts& stmts);

// Loops that are serial or written out and proven to have no turn are gone, those of one turn are
// their body, and so are branches whose condition is proven: unless they declare what their block
// declares elsewhere.
Stmts without_idle_loops(const Stmts& stmts);

// Whether a condition is proven to hold at all points that its variables may have, or at none.
bool always_holds(const Guard& guard);
bool never_holds(const Guard& guard);

// Without local variables that nothing reads, as loops that do not turn leave them.
Program without_idle_locals(Program program);

}  // namespace burin::loops
