// keep: the part of a buffer that a loop touches stays in registers across it (YFlows 3: an
// anchored or auxiliary stationarity is which operand is kept across which loop). It is loaded
// before the loop and, where the loop writes it, stored behind it. What lies beyond the end of the
// buffer is not loaded and not stored.
//
// Legal where the part is a box of known extent that does not move with the loop.
// `buffers` of the change: the one in registers.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change keep(const Program& program, BufferId buffer, int var);

}  // namespace burin::loops
