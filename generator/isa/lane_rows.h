// What tiles do with their sums besides adding products: start them at zero, put them into memory.
// Every machine has these, whatever its vectors are.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// c[j] = 0, and to[j] = c[j], for the lanes that rows of dot products have.
std::vector<Instruction> zero_rows();
std::vector<Instruction> store_rows();

}  // namespace burin::isa
