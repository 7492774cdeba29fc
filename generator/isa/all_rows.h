// Every row that there is, and those that a machine has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// In the order of their files; the same ones for the whole run of the program.
const Rows& all_rows();
// nullptr: there is none of that name.
const Instruction* find_row(std::string_view name);

}  // namespace burin::isa
