// What tiles do with their sums besides adding products: start them at zero, put them into memory.
// Every machine has these, whatever its vectors are.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// A value of this shape; a vector of so many lanes; a row in which each lane of operand 0 gets
// `value`, called after its kind, type and lanes.
Value shaped_value(const std::string& name, Type type, std::vector<Dim> shape, ValueKind kind);
Value lanes_value(const std::string& name, Type type, int lanes, ValueKind kind);
Instruction lane_row(const char* kind, Type type, int lanes, Expr value, How how = How::store);
std::string lane_row_name(const char* kind, Type type, int lanes);
// c[j] = `value`, where sums begin; to[j] = c[j].
Instruction start_row(const char* kind, Type type, int lanes, Expr value, const Spelling& spelling);
Instruction store_row(Type type, int lanes, const Spelling& spelling);

// As many lanes as vectors of floats have.
inline constexpr int kLaneCounts[] = {4, 8, 16};

// c[j] = 0, and to[j] = c[j], for the lanes that rows of dot products have.
inline constexpr int kSumLaneCounts[] = {4, 8, 16, 32};
std::vector<Instruction> zero_rows();
std::vector<Instruction> store_rows();

}  // namespace burin::isa
