// Rows of products whose vectors are held in registers: loaded in the turn of a loop before the one
// that multiplies them.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// hold_<type>x128:       to[j] = bytes 4 j to 4 j + 3 as one word, the first one lowest; also as
//                        hold_first_<type>x128, for what is loaded before a loop
// <row of dots>_held:    c[j] += sum over q of a[q] * byte q of b[j], for each row of HVX
std::vector<Instruction> held_rows();
std::string hold_name(Type type, bool first);
std::string held_name(const std::string& row);

}  // namespace burin::isa
