// Sums of what an integer product stages of a factor that the run gives.
#pragma once

#include <vector>

#include "select/integers/plan.h"

namespace burin {

// The sum as a let of the plan's kernel, over the batch and the axes that only this factor has;
// times ones, which lanes are summed with.
Expr sums_of_staged(IntegerPlan& plan, IntegerFactor& factor, const std::vector<int>& own,
                    const Expr& times = {});

}  // namespace burin
