// distribute: the last statements of a loop's body get a loop of their own behind it (loop
// distribution), over a variable of their own.
//
// Legal where the loop's points share nothing that is written, so that what a point needs of the
// statements before is there, and nothing that is allocated in front of the cut is used behind it.
// `vars` of the change: the variable of the new loop.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

// The statements from number `at` on.
Change distribute(const Program& program, int var, size_t at);

}  // namespace burin::loops
