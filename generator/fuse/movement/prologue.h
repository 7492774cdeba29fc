// Whether a map is better computed where it is read: once per point, in one factor of a product, or
// so cheaply that it may be done over and over.
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"

namespace burin {

// For one reader of a map's result, among all it has.
bool gains_by_prologue(BlockSteps& block, const Kernel& map, const Kernel& reader,
                       const FuseOptions& options);

// Made of indices and constants: nothing is read that was not there before.
bool is_generated(const BlockSteps& block, const Kernel& map);

}  // namespace burin
