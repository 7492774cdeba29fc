// A line of memory is asked for before it is read; or what is read behind a place is read no
// earlier.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// The line `ahead` bytes (its size) behind an element. It computes nothing: there need be nothing
// there. "prefetch", "prefetch_i8" and so on.
// "read_late": compilers keep nothing in registers across it that is in memory, where loops before
// it need all of them. It computes nothing either.
inline constexpr const char* kReadLate = "read_late";
std::vector<Instruction> prefetch_rows();
const Instruction* prefetch_row(Type type = Type::f32);  // of elements of a type; null: none

}  // namespace burin::isa
