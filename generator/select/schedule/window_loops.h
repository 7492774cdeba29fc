// The loops that stage one band of a window's operand.
#pragma once

#include "select/schedule/schedule.h"

namespace burin {

LoopNodes fill_loops(const SlidingWindow& window, const Kernel& kernel);

}  // namespace burin
