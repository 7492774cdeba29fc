// unswitch: a condition under which everything in a loop stands, and that does not move with it,
// stands around the loop instead (loop unswitching).
//
// Legal where the condition reads no data and, of several statements, none has names of its own.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change unswitch(const Program& program, int var);

// The condition that all of a body stands under and that does not move with variables that the body
// or its loop sets; nullptr: there is none.
const Guard* common_guard(const Stmts& body, int var);

}  // namespace burin::loops
