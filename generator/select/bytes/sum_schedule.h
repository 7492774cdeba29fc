// Sums of bytes that lie beside each other, less their zero point: means over planes, by rows of
// isa/sum_rows.h.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt: the kernel is something else, too few bytes lie beside each other, or the description
// has no row for it.
std::optional<LoopPlan> schedule_sum(const Kernel& kernel, const std::vector<Value>& values,
                                     const Hardware& hardware);

}  // namespace burin
