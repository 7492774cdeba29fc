// Rewrites of one block at a concatenation: a movement with several loads (see is_concat()).
#pragma once

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"
#include "fuse/movement/concat_parts.h"

namespace burin {

// Pieces of one tensor that follow one rule become one load (fuse/movement/piece_index.h). Slices
// between the tensor and the concatenation are looked through, before anything else has moved into
// them.
void gather_pieces(BlockSteps& block, int at);

// Readers that know at each of their loads which piece it is (a reduction over the pieces is
// written out) load the pieces.
void inline_known_pieces(BlockSteps& block, int at, const FuseOptions& options);

// A reduction of a few points that chooses among them what it computes, and nothing else, is written
// out: pieces that have become one map with whatever makes them.
void write_out_choices(BlockSteps& block, int at, const FuseOptions& options);

// Whoever makes a part for this purpose only writes it at its place in the whole; other parts are
// copied. A concatenation that is itself a part joins in.
void scatter_parts(BlockSteps& block, int at);

// The same where some parts are not read one to one; of those that no reader takes in.
void scatter_among_copies(BlockSteps& block, int at);

// Whether the kernel at `at` is a concatenation at whose place for it a part would be written by
// who makes it.
bool writes_part_in_place(BlockSteps& block, int at, ValueId part);

// The parts of the concatenation at `at` and who writes them in place, where that is all of them.
struct PartMaker {
  ConcatPart part;
  int maker;  // its place
};
std::vector<PartMaker> makers_of_parts(BlockSteps& block, int at);

// No part is written in place: sums of products that read it once choose the piece while they pack.
void inline_concat(BlockSteps& block, int at, const FuseOptions& options);

}  // namespace burin
