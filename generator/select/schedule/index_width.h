// The integers that a kernel counts and addresses with: 32 bits where every index, every bound of a
// loop and every part of a sum or product in them is proven to fit for all sizes in range, else 64.
#pragma once

#include "select/schedule/kernel_schedule.h"

namespace burin {

// 32 or 64. A bound is the sum of the largest magnitudes of an index's terms, so that no order of
// evaluation can overflow; what is within an eighth of the type's range leaves room for induction
// variables that run past their end by a tile or a divisor. O(size of the schedule).
int index_bits(const KernelSchedule& schedule, const std::vector<Value>& values);

}  // namespace burin
