// Kernels that compute bytes from bytes, element by element: 128 at a time (byte_ops.h).
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt: the kernel is none, its elements do not lie side by side, or the description has no rows
// for them. Constants are appended to `values`.
std::optional<LoopPlan> schedule_bytes(const Kernel& kernel, std::vector<Value>& values,
                                       const Hardware& hardware);

}  // namespace burin
