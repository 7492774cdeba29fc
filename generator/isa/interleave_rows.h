// Rows of floats that lie apart become one, element after element, and back: phases of a stride.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For 2, 4 and 6 rows and every number of lanes that FloatVector has; a call says how far the rows
// lie apart.
//   interleave:    to[ways * j + k] = from[pitch * k + j]
//   deinterleave:  to[pitch * k + j] = from[ways * j + k]
std::vector<Instruction> interleave_rows();

// nullptr: there is none.
const Instruction* interleave_row(int ways, int lanes);
const Instruction* deinterleave_row(int ways, int lanes);

}  // namespace burin::isa
