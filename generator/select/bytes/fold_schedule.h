// Pools: the greatest or least of bytes, a row of results at a time by rows of isa/fold_rows.h, and
// what becomes of it (byte_ops.h).
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"
#include "select/verbs/verbs.h"

namespace burin {

// nullopt: the kernel is none, its rows do not lie side by side or are short, or the description
// has no rows of isa/ for it. Constants are appended to `values`. `given`: verb "threads".
std::optional<LoopPlan> schedule_fold(const Kernel& kernel, std::vector<Value>& values,
                                      const Hardware& hardware, const Given& given = {});

}  // namespace burin
