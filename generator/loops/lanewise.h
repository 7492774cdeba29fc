// Which stores a loop over lanes may have whose vectors are computed as a whole: the vocabulary of
// runtime_min/lanes.h and lane_functions.h. The transform `vectorise` asks it, and printers print
// no other.
//
// Values are floats and 32-bit integers. What the lane does not move is one value in all lanes;
// elements that it moves lie one after the other. Bytes and words are read as integers, and written
// as floats that are limited to their range. Registers are read and written whole, lane by lane.
#pragma once

#include <string>

#include "loops/program.h"

namespace burin::loops {

// How the address of an element moves with a variable.
enum class Stride : uint8_t { none, one, other };
Stride stride_of(const Program& program, BufferId buffer, const std::vector<Index>& at, int var);

// Empty: all lanes of the store can be computed at once; else what is in the way.
std::string not_lanewise(const Program& program, const Store& store, int var);

// Functions of floats, and comparisons that choose between two, that vectors have.
bool is_lane_function(Unary op);
bool compares_lanes(Binary op);

// Whether an expression moves with a variable.
bool moves_with(const Expr& expr, int var);

}  // namespace burin::loops
