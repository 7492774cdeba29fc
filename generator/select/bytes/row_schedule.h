// Rows of bytes that are made of a row of bytes and of numbers of that row: normalisations.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt: the kernel is something else, or the description lacks a row. Constants are appended.
std::optional<LoopPlan> schedule_byte_rows(const Kernel& kernel, std::vector<Value>& values,
                                           const Hardware& hardware);

}  // namespace burin
