// Loops in which bytes or words meet floats are computed in whole vectors: compilers take the
// narrowest type of a loop for its width, and what is left of a row one by one.
#pragma once

#include "loops/program.h"

namespace burin {

// Vectorises innermost loops whose stores have elements of different widths, where that is legal
// (loops/transforms/vectorise.h). `lanes`: 32-bit elements of a vector of the machine; it is
// left as it is where there are no vectors of so many.
loops::Program in_vectors(loops::Program program, int lanes);

}  // namespace burin
