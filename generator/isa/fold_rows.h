// The greatest or least of bytes, place by place: rows of a pool. As many as a call says.
#pragma once

#include <string>
#include <vector>

#include "isa/instruction.h"

namespace burin::isa {

// For u8 and i8; `stride` is 1 or 2, as of isa/move_rows.h.
//   fill       to[j] = from[0]
//   max, min   to[j] = max(to[j], from[stride * j])
//   ..._run    to[0] = max over j of from[j]
std::vector<Instruction> fold_rows();
std::string fill_name(Type type);
std::string fold_name(bool greatest, Type type, int64_t stride);
std::string fold_run_name(bool greatest, Type type);
inline constexpr const char* kFoldInstruction = "vmaxub_1024";

}  // namespace burin::isa
