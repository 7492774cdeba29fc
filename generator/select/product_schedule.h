// A contraction as a schedule: its constants packed, the lets before it placed, what it says of
// itself.
#pragma once

#include <vector>

#include "select/products/contraction.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// `sized`: transformed filters are values without data, to ask what they cost.
enum class Constants : uint8_t { made, sized };

// Packed constants are appended to `values`.
LoopPlan schedule_contraction(Contraction contraction, std::vector<Value>& values,
                              Constants constants = Constants::made);

}  // namespace burin
