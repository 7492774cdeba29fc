// How long buffers in registers are needed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "loops/program.h"

namespace burin::loops {

// Of a buffer of fixed size.
std::optional<int64_t> register_bytes(const Buffer& buffer);

// Of buffers in registers that the block allocates: behind which of its statements nobody needs so
// many bytes of them any more. Without those of a unit for matrices.
std::map<size_t, int64_t> registers_freed(const Stmts& block, const Program& program);

}  // namespace burin::loops
