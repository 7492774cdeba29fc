// Demand-driven slicing: what nobody reads is not computed. Where all readers of a tensor keep to a
// part of it (the first row of a classifier's last layer, what a Slice takes), its maker makes that
// part.
#pragma once

#include "fuse/access/block_steps.h"

namespace burin {

// The kernel at `at` keeps of the tensor that it makes the box that its readers load from, one
// dimension after the other: a dimension is cut where the kernel writes it along an axis of its
// own, and where the part is no larger for any size. Called from the last kernel to the first,
// parts of parts follow.
void slice_to_demand(BlockSteps& block, int at);

}  // namespace burin
