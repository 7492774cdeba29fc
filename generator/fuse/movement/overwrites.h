// A tensor that is made and then written again in part: an assignment to a slice, as exporters
// write it (ScatterND over indices that nothing is read for).
#pragma once

#include "fuse/access/block_steps.h"

namespace burin {

// The kernel at `at` stores, each of its points at a place of its own, into a tensor that a map has
// filled, which nobody reads in between: one map, which chooses for each place. Its indices become
// plain first, where they are computed from nothing that is read
// (fuse/movement/computed_indices.h).
void fuse_overwrite(BlockSteps& block, int at);

}  // namespace burin
