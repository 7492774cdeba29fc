// Programs that are short: loops over the same points are one, and a condition of all of a loop
// stands around it.
#pragma once

#include "loops/program.h"

namespace burin {

loops::Program with_shared_loops(loops::Program program);

}  // namespace burin
