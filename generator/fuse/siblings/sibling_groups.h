// Which contractions of one block that share an input become one (fuse/siblings/siblings.h).
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"

namespace burin {

// Whether another contraction reads the input of this one, and the two would be siblings but for
// what follows their sums.
bool has_sibling(BlockSteps& block, int at);

// At a reader: contractions of one input whose results it alone reads become one
// (fuse/siblings/siblings.h).
void fuse_siblings(BlockSteps& block, int at);

// At a contraction: it and those behind it that share its input become one, whoever reads them,
// where all results together fit in the second cache (`working_set_bytes`): they are there from the
// first of them on.
void fuse_siblings_of_input(BlockSteps& block, int at, const FuseOptions& options);

}  // namespace burin
