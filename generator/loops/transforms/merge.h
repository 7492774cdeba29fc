// merge: loops over the same points that stand behind each other become one (loop fusion), and what
// stood between them goes in front.
//
// Legal where none of them writes what another one, or what stands between, reads or writes, and
// none writes an argument: those may share bytes with others. Only plain serial loops.
#pragma once

#include "loops/program.h"

namespace burin::loops {

// Every block of the program, blocks of what was merged included.
Program merge_loops(Program program);

}  // namespace burin::loops
