// Planes of bytes become rows of groups of four, one of each of four planes, with margins.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For every pair of u8 and i8 as in pad_rows.h, whose sizes a call says (PadSize), and every stride
// of columns:
//   to[pitch * r + j][q] = from_q[from_pitch * r + stride * (j - before)] where
//   0 <= j - before < width, else fill[0]
// Planes of sizes that are `known`, all but the number of rows, and whose rows have no more than
// kKnownGroups groups move several rows at a time, where so many fit.
std::vector<Instruction> pad_fours();
std::string pad_fours_name(Type from, Type to, int stride, bool known);
inline constexpr int kKnownGroups = 32;
inline constexpr const char* kPadFoursInstruction = "vshuffvdd_1024";
inline constexpr const char* kPlainFours = "fours_128";  // plain vectors, wherever there are any
inline constexpr int kMostPadStride = 2;

}  // namespace burin::isa
