// Dot products of bytes on x86 with VNNI: each of 16 or 8 sums takes four products of an unsigned
// and a signed byte. Nothing saturates: vpdpbusd wraps in 32 bits.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> x86_dot();

}  // namespace burin::isa
