// bind: who runs the points of a loop. Threads, work-groups, work-items and the lanes of vectors
// may run them at the same time, so no two points may touch an element that one of them writes;
// what is written out (unrolled) and the lanes of a vector are so many as a number says.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change bind(const Program& program, int var, Kind kind);

}  // namespace burin::loops
