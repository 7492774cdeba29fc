// How large a working set may be: what is read again and again, while other data pass.
#pragma once

#include <cstdint>

#include "hardware/hardware.h"

namespace burin {

// Bytes of a working set that fits in a cache (0: the first), or the last one that there is: half
// of what a thread has of it.
int64_t working_set_bytes(const Memory& memory, size_t cache = 1);

}  // namespace burin
