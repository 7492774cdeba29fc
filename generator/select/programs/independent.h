// Loops that compilers can take vectors in: most functions are branch-free (runtime_min), so a loop
// of stores is one of vectors once no condition is left in it and the compiler knows that arrays of
// scratch, which come from one pointer, are apart where the program says so.
#pragma once

#include "loops/program.h"

namespace burin {

// Innermost loops that call functions and store along their variable: statements at their end that
// stand under a condition of the whole loop go behind it, conditions of values in front of it, and
// what is left is bound to `independent`. Others stay as they are.
loops::Program with_independent_loops(loops::Program program);

}  // namespace burin
