// How a quotient and a remainder follow the variable of a loop (InductionVariable,
// loops/program.h): x // c and x % c are set before it and follow x at the end of every turn, so
// that no innermost loop divides.
//
// How x moves decides how they follow:
//   by_axis      x = step*axis + settled: the remainder gains step % c, the quotient step // c, and
//                a carry where the remainder reaches c
//   by_quotient  x = k*(another quotient) + settled: as above, inside the other one's carry
//   by_much      anything else (remainders, minima, several quotients): the remainder gains the
//                difference of the new x and the last one, and is brought back by loops. |k| < c
//                for constants in canonical indices, so those rarely run more than once.
// A divisor is taken to be positive: they are extents and strides, and where an extent is not, the
// loops do not run.
#pragma once

#include <string>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

// The induction variable of x // c and x % c along `var`, an axis; `others` are those of the loop
// before it, whose quotients it may follow. The divisor does not move with the loop.
InductionVariable induction_of(const Index& x, const Index& c, const Index& var,
                               const std::vector<InductionVariable>& others, std::string quotient,
                               std::string remainder);

// `index` with the names of induction variables, as symbols, for what they count.
Index over_inductions(const Index& index, const std::vector<InductionVariable>& inductions);

}  // namespace burin::loops
