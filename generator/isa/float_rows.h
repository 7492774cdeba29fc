// What tiles of float sums are made of: a vector of sums gets a broadcast element times a vector.
// Every machine has these; whether the product is rounded before it is added is the machine's.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// c[j] = 0; c[j] += a[0] * b[j]; to[j] = c[j], for every number of lanes that FloatVector has.
std::vector<Instruction> float_rows();

// The row of that kind ("zero", "add_product", "store") and number of lanes.
const Instruction* float_row(const char* kind, int lanes);

}  // namespace burin::isa
