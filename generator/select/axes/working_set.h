// How large a working set may be: what is read again and again, while other data pass.
#pragma once

#include <cstdint>

#include "hardware/hardware.h"

namespace burin {

// Bytes of a working set that fits in the second cache, or the only one: half of it.
int64_t working_set_bytes(const Memory& memory);

}  // namespace burin
