// What a work-item of a device computes in one operation.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

std::vector<Instruction> scalar_rows();

// c += a * b in f32 or in fp16, rounded once or twice as the device likes.
const Instruction* multiply_add(Type type);

}  // namespace burin::isa
