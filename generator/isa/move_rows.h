// Bytes on their way to where products read them: as they are or with the other sign, side by side
// or in groups of four, one of each of four rows. As many as a call says.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For every pair of u8 and i8; of different ones numbers differ by 128, which is the highest bit.
// `stride` is 1 or 2.
//   copy          to[j] = from0[stride * j]
//   twice         to[j] = from0[j / 2], of one type
//   interleave    to[j, q] = from<q>[stride * j]
std::vector<Instruction> move_rows();

inline constexpr int kInterleaved = 4, kMostMoveStride = 2;
inline constexpr int kTwice = 0;  // the stride of bytes that are there twice
int move_stride(const Instruction& row);
// Of bytes as they are, side by side.
std::string copy_name(Type type);
// A byte as one of another type, or of its own.
Expr byte_as(const Expr& element, Type to);

// Fewer than so many a loop carries as fast.
inline constexpr int kLeastMoved = 8;

}  // namespace burin::isa
