// Loops in which bytes or words meet floats are computed in whole vectors: compilers take the
// narrowest type of a loop for its width, and what is left of a row one by one. So are short rows
// of functions with a rest, where the machine has masks for it.
#pragma once

#include "loops/program.h"

namespace burin {

// Vectorises innermost loops whose stores have elements of different widths, and such rows, where
// that is legal (loops/transforms/vectorise.h). `lanes`: 32-bit elements of a vector of the
// machine; it is left as it is where there are no vectors of so many. `masks`: vectors may be
// loaded and stored in part.
loops::Program in_vectors(loops::Program program, int lanes, bool masks);

}  // namespace burin
