// Dot products of bytes on Arm with dotprod: each of 4 sums takes four products of bytes of one
// sign.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> arm_dot();

}  // namespace burin::isa
