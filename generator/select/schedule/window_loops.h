// The loops that stage one band of a window's operand.
#pragma once

#include "select/schedule/loop_plan.h"

namespace burin {

LoopNodes fill_loops(const SlidingWindow& window, const Kernel& kernel);

}  // namespace burin
