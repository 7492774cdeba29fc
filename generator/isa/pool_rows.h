// The greatest or least bytes of windows of a plane, all rows of results by one call of sizes that
// are known.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// to[row * count + column] = fold over r < taps, c < columns of
//                            from[(step * row + r) * pitch + stride * column + c]
// What a call says, in this order; the stride is the row's.
enum PoolSize { kPoolRows, kPoolCount, kPoolTaps, kPoolColumns, kPoolStep, kPoolPitch };
const std::vector<Symbol>& pool_sizes();
std::vector<Instruction> pool_rows();
std::string pool_name(bool greatest, Type type, int64_t stride);

}  // namespace burin::isa
