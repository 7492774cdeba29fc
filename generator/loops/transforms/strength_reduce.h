// strength_reduce: quotients and remainders of indices are computed once where they are settled,
// and counted along innermost loops, so that no innermost loop divides.
//
// What is settled outside of a loop gets a Name there; so do extents and strides of operands that
// may be broadcast. What moves along an innermost loop that runs by one gets an induction variable:
// how the dividend moves decides how quotient and remainder follow (loops/program.h). It changes no
// value and no order; a divisor is taken to be positive: they are extents and strides, and where an
// extent is not, the loops do not run.
#pragma once

#include "loops/program.h"

namespace burin::loops {

Program strength_reduce(Program program);

// Quotients, the least and the greatest of sizes get a Name in front of everything; nothing else
// changes. For programs whose loops are written as they shall be.
Program name_sizes(Program program);

}  // namespace burin::loops
