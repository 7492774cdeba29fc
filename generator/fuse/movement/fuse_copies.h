// What is left of a concatenation whose other parts are written in place: a copy of a constant (a
// class token), or of an input. It is fused horizontally with a kernel that computes another part,
// as a further write with axes of its own, which needs nothing that this kernel computes.
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"

namespace burin {

// Writes of a kernel that only copies become writes of kernels that compute other elements of the
// same tensors. What may become a view when memory is planned stays as it is: it costs nothing.
void fuse_copies(BlockSteps& block, int at, const FuseOptions& options);

}  // namespace burin
