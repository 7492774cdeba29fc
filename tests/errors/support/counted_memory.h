// What work is counted by: memory that this whole program has asked for, in pieces of 64 bytes.
#pragma once

#include <cstdint>

namespace burin {

int64_t memory_asked_for();

}  // namespace burin
