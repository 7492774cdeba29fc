// fuse: KernelGraph -> KernelGraph with fewer kernels and the same meaning.
//
// Rewrites, each a statement about accesses and none about operators. In rounds, in this order:
//   movement    a map that computes nothing (reshape, transpose, slice, expand, pad ...) becomes
//               part of the index of every load of its result (SmartMem 3.2.1) and vanishes; so do
//               concatenations of pieces that the reader can tell apart (fuse/pieces.h);
//   integers    sums of products of dequantised bytes become sums of integers, scaled
//               (fuse/dequantised.h), where the hardware has instructions for them;
//   epilogue    a map that reads the result of a kernel with lets element by element becomes part
//               of that kernel's write (bias, activation, residual, normalisation after a
//               convolution);
//   rows        reductions of the same rows become one kernel with what is computed from them
//               (fuse/rows.h);
//   prologue    a map whose readers all gain is computed where it is read;
//   attention   scores, softmax and weighted sum become one kernel (fuse/attention.h), and scores
//   of
//               positions part of it (fuse/positions.h);
//   siblings    contractions of one input become one (fuse/siblings.h).
// Then, once each:
//   factors     a normalisation of rows moves into the contraction that reads it (fuse/rows.h);
//   narrow      a tensor of which only a part is read becomes that part (fuse/narrow.h);
//   chains      a small product of one row with constants takes in what makes the row
//               (fuse/chain.h);
//   behind      what follows a concatenation of computed parts is done by who computes them
//               (fuse/behind_joins.h);
//   concat      parts of a concatenation are written in place by who computes them, or read where
//               they are (fuse/concat.h, fuse/joins.h).
//
// Sums of products of constants are computed (fuse/known_product.h), and what else is made of
// constants alone (fuse/known_values.h).
// Arithmetic is rewritten where that makes less of it (fuse/algebra.h).
// Constants that a branch gives are stored before it (fuse/branch_fills.h).
// What is dead afterwards is removed, what depends on constants only is computed now, and scales of
// sums of products move into their constant factors.
//
// At the very end, when contractions have their final form:
//   finish        a normalisation of rows becomes a part of the contraction that makes these rows
//                 (fuse/rows.h);
//   back to back  two contractions of the same rows become one kernel (fuse/back_to_back.h);
//   rides         what is left of concatenations becomes further writes (fuse/rides.h).
#pragma once

#include "fuse/back_to_back.h"
#include "kernel/kernel.h"

namespace burin {

struct FuseOptions {
  bool symbols = true;  // off: kernels whose sizes are not all numbers are joined only where that
                        // does not depend on sizes: maps of one tensor, element by element
  bool movement = true;
  bool simplify = true;  // indices, as movement composes them; off: to measure it (fuse/opaque.h)
  bool integers = true;
  bool epilogue = true;
  bool prologue = true;
  bool attention = true;
  bool half_weights = true;  // of attention, as floats (fuse/attention_weights.h)
  bool rows = true;
  bool siblings = true;
  bool factors = true;
  bool narrow = true;
  bool chains = true;
  bool finish = true;
  bool back_to_back = true;
  bool rides = true;
  bool concat_in_place = true;
  bool hoist_constants = true;
  bool fold_scales = true;
  bool known_products = true;  // sums of products of constants are computed now
  bool early_fills = true;     // constants that a branch gives are stored before it
  bool associative = true;     // arithmetic in another order (fuse/algebra.h)
  bool distributive = true;
  bool commutative = true;
  // Sums that a recurrence reads step by step are made at their step (fuse/step_sums.h).
  bool step_sums = false;
  // The hardware multiplies bytes faster than floats.
  bool integer_products = false;
  // Floats may be reassociated where that can change results by more than the rounding of one
  // operation: the headers of the rules say which do.
  bool fast_math = false;
  // A map that is recomputed by a reader with several passes over its rows may take so many
  // operations.
  int64_t recomputed_operations = 3;
  // Two sums of products become one kernel where they take no more operations than this: what the
  // hardware's threads would not share anyway. 0: never.
  int64_t small_operations = 0;
  // Bytes that rows of results may take until they are normalised, 0: kernels have no loops behind
  // those of their family, neither for rows nor for copies that ride along; and the rows that a
  // block of them must have, where there are so many.
  int64_t finished_bytes = 0, finished_rows = 1;
  // Results of products of one input are made together where they take no more than so many bytes:
  // what stays near until somebody reads it. 0: only where one kernel reads them all.
  int64_t near_bytes = 0;
  // For the rows between two products that become one kernel.
  BackToBackRoom between;
  // Multiply-adds that the hardware makes in the time in which memory brings it a byte.
  int64_t multiply_adds_per_byte = 1;
  // What one element of exp, log and their like takes, in additions.
  int function_operations = 1;
  // Nodes of all expressions of a fused kernel, as trees (fuse/size.h).
  int64_t most_nodes = 512;
};

// How often arithmetic was rewritten by the rules of each law (fuse/algebra.h), and how many
// products of constants were computed (fuse/known_product.h).
struct Rewrites {
  int associative = 0, distributive = 0, commutative = 0;
  int known_products = 0;
  std::vector<Origin> computed = {};  // nodes of such products of which nothing is left to run
  bool operator==(const Rewrites&) const = default;
};

KernelGraph fuse(KernelGraph graph, const FuseOptions& options, Rewrites* made = nullptr);

// The steps without those whose results nobody uses.
KernelGraph remove_dead(KernelGraph graph);

// Subexpressions over constants only become constants: the scale of a folded normalisation.
KernelGraph hoist_constants(KernelGraph graph);

// Scales of sums of products move into their constant factor (fuse/fold_scale.cpp): of a
// convolution with BatchNormalization only the bias stays. `fast_math` as above.
KernelGraph fold_scales(KernelGraph graph, bool fast_math = false);

}  // namespace burin
