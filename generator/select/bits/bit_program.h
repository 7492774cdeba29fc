// The statements of a plan of counted bits.
#pragma once

#include "loops/program.h"
#include "select/bits/bit_plan.h"

namespace burin {

// With lanes of the run:
//
//   for each point around: stage both planes; count what is present at each position
//     for each block of rows: for each tile of positions: sums in registers, to an array
//       for each row of the block: what is made of the sums, along the result
//
// With lanes of constants rows are staged instead, and a tile's array is written at once.
loops::Program bit_program(const BitPlan& plan, const std::vector<Value>& values);

}  // namespace burin
