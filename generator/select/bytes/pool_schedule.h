// Pools of bytes whose sizes are known: a plane of results by one call (isa/pool_rows.h). Where
// windows lie over margins, the plane is staged with them before, by a call each, too.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt: the kernel is none, something follows the pool, rows of results do not lie one behind
// the other or are short, an address moves along a row by more than two bytes, windows have more
// than one tap along it and one across, conditions are of something else than rows or columns.
std::optional<LoopPlan> schedule_pool(const Kernel& kernel, const std::vector<Value>& values,
                                      const Hardware& hardware);

}  // namespace burin
