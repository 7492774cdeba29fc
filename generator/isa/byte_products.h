// Products of two bytes each, which become bytes again by a line of sums (isa/requantise_rows.h).
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// multiply_A_B: c<q>[j] = (a[4 j + q] - zero_a[0]) * (b[4 j + q] - zero_b[0]), with positions as
// isa/byte_rows.h has them.
std::vector<Instruction> byte_products();

std::string multiply_name(Type a, Type b);

}  // namespace burin::isa
