// fuse: KernelGraph -> KernelGraph with fewer kernels and the same meaning.
//
// Rewrites, each a statement about accesses and none about operators. In rounds, in this order:
//   movement    a map that computes nothing (reshape, transpose, slice, expand, pad ...) becomes
//               part of the index of every load of its result (SmartMem 3.2.1) and vanishes; so do
//               concatenations of pieces that the reader can tell apart
//               (fuse/movement/piece_index.h);
//   integers    sums of products of dequantised bytes become sums of integers, scaled
//               (fuse/constants/dequantised.h), where the hardware has instructions for them;
//   epilogue    a map that reads the result of a kernel with lets element by element becomes part
//               of that kernel's write (bias, activation, residual, normalisation after a
//               convolution);
//   rows        reductions of the same rows become one kernel with what is computed from them
//               (fuse/cascade/row_fusion.h);
//   prologue    a map whose readers all gain is computed where it is read;
//   attention   scores, softmax and weighted sum become one kernel
//   (fuse/attention/attention_form.h), and scores of
//               positions part of it (fuse/attention/positions.h);
//   siblings    contractions of one input become one (fuse/siblings/siblings.h).
// Then, once each:
//   factors     a normalisation of rows moves into the contraction that reads it
//   (fuse/cascade/row_fusion.h); narrow      a tensor of which only a part is read becomes that
//   part (fuse/movement/narrow.h); chains      a small product of one row with constants takes in
//   what makes the row
//               (fuse/cascade/chain.h);
//   behind      what follows a concatenation of computed parts is done by who computes them
//               (fuse/movement/behind_joins.h);
//   concat      parts of a concatenation are written in place by who computes them, or read where
//               they are (fuse/movement/concat.h, fuse/movement/joins.h).
//
// Sums of products of constants are computed (fuse/constants/known_product.h), and what else is
// made of constants alone (fuse/constants/known_values.h). Arithmetic is rewritten where that makes
// less of it (fuse/algebra/algebra.h). Constants that a branch gives are stored before it
// (fuse/movement/branch_fills.h). What is dead afterwards is removed, what depends on constants
// only is computed now, and scales of sums of products move into their constant factors.
//
// At the very end, when contractions have their final form:
//   finish        a normalisation of rows becomes a part of the contraction that makes these rows
//                 (fuse/cascade/row_fusion.h);
//   back to back  two contractions of the same rows become one kernel
//   (fuse/cascade/back_to_back_fusion.h); rides         what is left of concatenations becomes
//   further writes (fuse/movement/fuse_copies.h).
#pragma once

#include "fuse/access/options.h"
#include "fuse/constants/constant_rewrites.h"
#include "kernel/kernel.h"

namespace burin {

KernelGraph fuse(KernelGraph graph, const FuseOptions& options, Rewrites* made = nullptr);

}  // namespace burin
