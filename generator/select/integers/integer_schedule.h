// Integer products among the schedules: a program, and what the rest of a tree asks of a kernel.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "isa/all_rows.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt: plan_integers() has no plan. Constants are appended to `values`. Products are made by
// one of `rows`, which outlive the plan.
std::optional<LoopPlan> schedule_integers(const Kernel& kernel, std::vector<Value>& values,
                                          const Hardware& hardware, const Given& given = {},
                                          const isa::Rows& rows = isa::all_rows());

}  // namespace burin
