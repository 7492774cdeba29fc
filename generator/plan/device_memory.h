// Buffers that are larger than a device gives are refused.
#pragma once

#include "hardware/hardware.h"
#include "plan/memory_plan.h"

namespace burin {

// Refused (device): arena, inputs and outputs, which share one buffer, or the constants are larger
// than the device's largest buffer at the smallest sizes that a caller may pass, or all together
// are larger than its memory.
void refuse_beyond_device(const KernelGraph& graph, const MemoryPlan& memory,
                          const Hardware& hardware);

}  // namespace burin
