// The loops that stage one band of a window's operand, and those that list the places of its taps.
#pragma once

#include "select/schedule.h"

namespace burin {

LoopNodes fill_loops(const SlidingWindow& window, const Kernel& kernel);
// In the order of `reduced`, which is that of the depth.
LoopNodes shift_loops(const SlidingWindow& window, const std::vector<int>& reduced,
                      const Kernel& kernel);

}  // namespace burin
