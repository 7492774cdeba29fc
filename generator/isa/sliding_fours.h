// Dot products of neighbouring bytes whose groups overlap, 128 sums at a time, as HVX makes them of
// two vectors: four accumulators, whose lanes are not columns in a row.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// Of stride 1 lane j of c<v> is column 4 j + v, of stride 2 column 64 (v / 2) + 2 j + v % 2; to
// each is added sum over q of a[q] * b[stride * column + q].
std::vector<Instruction> sliding_fours();
// The row of an instruction (`vrmpybus_1024`) in this form, which has an instruction of its own.
std::string sliding_fours_name(const std::string& row, int64_t stride);

inline constexpr int kFours = 4;

}  // namespace burin::isa
