// Dot products of bytes on HVX with vectors of 128 bytes: each of 32 sums takes four products,
// which wrap in 32 bits. Either operand is signed or unsigned; where the group is a scalar register
// two of them start in a packet, where it is a vector one does.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> hvx();

}  // namespace burin::isa
