// Random hardware loops for differential tests of software pipelining: pointers that step, some of
// them apart and some not, values that live across iterations and values that do not, trip counts
// as constants and in registers, from 0 on.
#pragma once

#include <string>
#include <vector>

#include "vliw/support/random_assembly.h"

namespace burin::vliw::testing {

// Function `name` with one to three loops, each of up to `size` instructions. At its end it writes
// over some registers and over the loop registers, so that they are free inside without any
// calling convention; every register may be compared. Pointers are r16-r19, as in random_function.
std::string random_loop_function(const std::string& name, const std::vector<const Form*>& forms,
                                 int size, Random& random);

}  // namespace burin::vliw::testing
