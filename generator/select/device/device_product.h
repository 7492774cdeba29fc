// Contractions on a device: which launches compute one, and in what tiles.
//
//   prepack   where factor a is a normalisation of rows, or dear: its elements once, into scratch
//   product   tiles of work-groups (select/tiles/group_tile.h)
//   combine   where the depth was split: the sum of its parts, and what is written
//
// The kernel says the same: a becomes a let, the depth becomes parts, steps and points within a
// step, the parts' sums a let and their sum another.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt where the kernel is no contraction, or too small for tiles. Constant factors become
// packed values. `given`: verb "group tile"; one that does not fit the device is not taken.
std::optional<LoopPlan> schedule_device_product(const Kernel& kernel, std::vector<Value>& values,
                                                const Hardware& hardware, const Given& given = {});

}  // namespace burin
