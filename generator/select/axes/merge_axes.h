// Neighbouring axes as one, where memory does not tell them apart.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Two axes that are reduced one inside the other become one axis of both extents where every
// address then runs on from one row to the next without a division: the rows of a pool over whole
// planes are then one long row, which has room for partial results (select/schedule/lanes.h). The
// order of the points stays what it was, so do results.
Kernel merge_reduced_axes(const Kernel& kernel, const std::vector<Value>& values);

// Two axes that everything runs over, or nothing without the other, as one at the place of `outer`;
// nullopt where an address would need a division, or a let is not read at its own point.
std::optional<Kernel> merge_pair(const Kernel& kernel, int outer, int inner,
                                 const std::vector<Value>& values);

}  // namespace burin
