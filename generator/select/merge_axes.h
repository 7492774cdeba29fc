// Neighbouring axes of a reduction as one, where memory does not tell them apart.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Two axes that are reduced one inside the other become one axis of both extents where every
// address then runs on from one row to the next without a division: the rows of a pool over whole
// planes are then one long row, which has room for partial results (select/lanes.h). The order of
// the points stays what it was, so do results.
Kernel merge_reduced_axes(const Kernel& kernel, const std::vector<Value>& values);

}  // namespace burin
