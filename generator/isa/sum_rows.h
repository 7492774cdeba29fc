// Sums of bytes beside each other, and of their squares, as many as a call says.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For u8 and i8: to[0] += sum over j of from[j], or of from[j]^2, in 32 bits that wrap.
// And of rows, each behind the one before: to[r] = sum over j < count of from[r * count + j].
std::vector<Instruction> sum_rows();
std::string sum_name(Type type);
std::string squares_name(Type type);
std::string sums_name(Type type);
inline constexpr const char* kSumInstruction = "vrmpyub_1024";

}  // namespace burin::isa
