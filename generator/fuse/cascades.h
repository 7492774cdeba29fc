// Rewrites of one block that join kernels with lets.
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"

namespace burin {

// At a weighted sum: it, the softmax that makes its weights and the products that make the scores
// become one kernel, where that is attention (fuse/attention/attention_form.h).
void fuse_attention(BlockSteps& block, int at, const FuseOptions& options);

// At attention: a sum of products that its scores read, by position, becomes part of it
// (fuse/attention/positions.h).
void fuse_positions(BlockSteps& block, int at, const FuseOptions& options);

// At a reduction of rows: it and the only reader of its result become one
// (fuse/cascade/row_fusion.h).
void fuse_rows(BlockSteps& block, int at, const FuseOptions& options);

// At a sum of products: it and the normalisation of rows that makes its factor become one.
void fuse_factor(BlockSteps& block, int at, const FuseOptions& options);

// At a normalisation of rows: it and the sum of products whose rows these are become one, whoever
// else reads them.
void fuse_row_epilogue(BlockSteps& block, int at, const FuseOptions& options);

// At a sum of products, normalised or not: it and the one that makes its rows become one
// (fuse/cascade/back_to_back_fusion.h).
void fuse_back_to_back(BlockSteps& block, int at, const FuseOptions& options);

// At a small product of one row with constants: it and what makes the row become one
// (fuse/cascade/chain.h).
void fuse_chain(BlockSteps& block, int at, const FuseOptions& options);

// Whether a kernel is the reader that some reduction of rows would join.
bool is_end_of_rows(BlockSteps& block, int at, const FuseOptions& options);

}  // namespace burin
