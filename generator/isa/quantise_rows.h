// Floats become bytes by integers: where a machine has vectors of integers and none of floats.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For u8 and i8, of 128 numbers x in f32:
//   position = sign(x) * min(floor(|x| * scale), 2^29) + line[0], of NaN line[0]
//   to       = position >> 16, within the type, then within line[2] and line[3]
//   seen     byte by byte all bits where position is within line[1] of a multiple of 2^16, or x is
//            NaN
// `scale` is a normal f32 above 0; the product is the exact one. Limits take their lowest eight
// bits.
std::vector<Instruction> quantise_rows();
std::string quantise_name(Type to);
enum FloatLinePart { kFloatOffset, kFloatReach, kFloatLeast, kFloatGreatest };
inline constexpr int kFloatLineParts = 4;

// The position as an expression, of a number and what a row reads.
Expr quantised_position(const Expr& number, const Expr& scale, const Expr& offset);

}  // namespace burin::isa
