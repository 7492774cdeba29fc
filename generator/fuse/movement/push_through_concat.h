// Push through concat: what follows a concatenation of computed parts, a normalisation, an
// activation.
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"

namespace burin {

// At a concatenation whose only reader is a map, one to one: f(concat(a, b)) is
// concat(f(a), f(b)). Who makes a part for this purpose only, and can write it in place, makes f of
// it. Where that is all of them, nothing is left of the map.
void push_through_concat(BlockSteps& block, int at, const FuseOptions& options);

}  // namespace burin
