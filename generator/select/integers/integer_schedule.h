// Integer products among the schedules: a program, and what the rest of a tree asks of a kernel.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/schedule.h"

namespace burin {

// nullopt: plan_integers() has no plan. Constants are appended to `values`.
std::optional<KernelSchedule> schedule_integers(const Kernel& kernel, std::vector<Value>& values,
                                                const Hardware& hardware, const Given& given = {});

}  // namespace burin
