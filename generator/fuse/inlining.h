// Rewrites that put a map into its neighbours, at the map: into readers (movement, prologue), into
// what it reads (epilogue).
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"

namespace burin {

// A map that only moves becomes part of the indices of its readers.
void inline_movement(BlockSteps& block, int at, const FuseOptions& options);

// The same of a tensor that constants make, after they have been computed.
void inline_constant(BlockSteps& block, int at, const FuseOptions& options);

// A map that reads the result of a kernel with lets becomes part of that kernel's write.
void fuse_epilogue(BlockSteps& block, int at, const FuseOptions& options);

// A map is computed where it is read, where all readers gain.
void inline_prologue(BlockSteps& block, int at, const FuseOptions& options);

// A concatenation that is copied after all, by maps that read it element by element: they read its
// parts.
void inline_copied_concat(BlockSteps& block, int at, const FuseOptions& options);

}  // namespace burin
