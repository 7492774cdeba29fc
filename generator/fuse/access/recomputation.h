// Recomputation cost: what it takes to compute a map where it is read, inside a sum of products.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Times that each element of `value` is used by the one factor of a sum of products that reads it,
// at the hints of symbols; 0 where `reader` is no such kernel or reads it elsewhere too. Schedules
// pack a factor once, whatever axes the other one has: 1 for a product of matrices and a
// convolution of 1x1, the size of the window for a larger one.
double uses_in_factor(const Kernel& reader, ValueId value, const std::vector<Value>& values);

}  // namespace burin
