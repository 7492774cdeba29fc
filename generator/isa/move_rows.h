// Bytes on their way to where products read them: as they are or with the other sign, side by side
// or in groups of four, one of each of four rows. As many as a call says.
#pragma once

#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For every pair of u8 and i8; of different ones numbers differ by 128, which is the highest bit.
//   copy          to[j] = from0[j]
//   interleave    to[j, q] = from<q>[j]
std::vector<Instruction> move_rows();

inline constexpr int kInterleaved = 4;
// Fewer than so many a loop carries as fast.
inline constexpr int kLeastMoved = 8;

}  // namespace burin::isa
