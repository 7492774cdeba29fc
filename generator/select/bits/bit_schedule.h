// Kernels that count bits, as programs with calls of rows of isa/.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"
#include "select/verbs/verbs.h"

namespace burin {

// nullopt: the kernel counts none, or the machine has no rows for it. Constants are appended to
// `values`. `given`: verbs "instruction", "threads".
std::optional<LoopPlan> schedule_bits(const Kernel& kernel, std::vector<Value>& values,
                                      const Hardware& hardware, const Given& given = {});

}  // namespace burin
