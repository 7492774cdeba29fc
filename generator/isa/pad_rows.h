// Rows of bytes that get another pitch: margins around them are filled, or gaps between them go.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For every pair of u8 and i8; of different ones numbers differ by 128, which is the highest bit.
// A call says how many rows there are, the pitch that they get, how wide they are, where they begin
// in it, and the pitch that they have.
//   to[pitch * r + j] = from[from_pitch * r + j - before] where 0 <= j - before < width, else
//   fill[0]
// Rows of sizes that are `known` move several rows at a time, where so many fit: all sizes but
// their number are constants of the call.
std::vector<Instruction> pad_rows();
std::string pad_name(Type from, Type to, bool known);
enum PadSize { kPadRows, kPadPitch, kPadWidth, kPadBefore, kPadFromPitch };
const std::vector<Symbol>& pad_sizes();
inline constexpr const char* kPadInstruction = "valignb_1024";

}  // namespace burin::isa
