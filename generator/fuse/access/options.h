// What the rewrites of `fuse` are told, and what is told of them afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// What a machine has for the intermediate rows of two products, and for their constants.
struct BackToBackRoom {
  int64_t bytes = 0;         // that the packed rows of a block may take; 0: none are joined
  int64_t cached_bytes = 0;  // of constants that stay in a cache from one block to the next
  int64_t least_rows = 1;    // of a block, unless there are fewer, where they do
  int64_t distant_rows = 1;  // and where they come from memory each time
};

struct FuseOptions {
  bool symbols = true;  // off: kernels whose sizes are not all numbers are joined only where that
                        // does not depend on sizes: maps of one tensor, element by element
  bool empty_terms = true;
  bool repeats = true;
  bool signs = true;
  bool movement = true;
  bool simplify = true;  // indices that movement composes; off: to measure (fuse/access/opaque.h)
  bool integers = true;
  bool epilogue = true;
  bool prologue = true;
  bool attention = true;
  bool fp16_weights = true;  // of attention, as floats (fuse/attention/attention_weights.h)
  bool rows = true;
  bool siblings = true;
  bool factors = true;
  bool demand_slicing = true;
  bool chains = true;
  bool row_epilogue = true;
  bool back_to_back = true;
  bool fused_copies = true;
  bool concat_in_place = true;
  bool hoist_constants = true;
  bool fold_scales = true;
  bool known_products = true;  // sums of products of constants are computed now
  bool stored_bytes = true;    // instead of floats that are made of them
  bool early_fills = true;     // constants that a branch gives are stored before it
  bool associative = true;     // arithmetic in another order (fuse/algebra/algebra.h)
  bool distributive = true;
  bool commutative = true;
  // Sums that a recurrence reads step by step are made at their step (fuse/cascade/step_sums.h).
  bool step_sums = false;
  // The hardware multiplies bytes faster than floats.
  bool integer_products = false;
  // It multiplies bf16 as they are stored faster than floats.
  bool bf16_products = false;
  // Time counts more than code and memory, and loops of a CPU compute maps.
  bool stores_repeats = false;
  // It counts the ones of words, lane by lane: a word of so many signs takes less than their
  // products as floats; 0: it does not.
  int64_t least_signs = 0;
  // It has vectors of integers and none of floats.
  bool bytes_in_vectors = false;
  // Products and pools of bytes have rows of isa/: what a product makes is stored as a byte.
  bool byte_products = false;
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
  // those of their family, neither for rows nor for fused copies; and the rows that a
  // block of them must have, where there are so many.
  int64_t row_epilogue_bytes = 0, row_epilogue_rows = 1;
  // Results of products of one input are made together where they take no more than so many bytes:
  // what fits in the second cache until somebody reads it. 0: only where one kernel reads them all.
  int64_t working_set_bytes = 0;
  // For the intermediate rows of two products that become one kernel.
  BackToBackRoom between;
  // Multiply-adds that the hardware makes in the time in which memory brings it a byte.
  int64_t multiply_adds_per_byte = 1;
  // What one element of exp, log and their like takes, in additions.
  int function_operations = 1;
  // Nodes of all expressions of a fused kernel, as trees (fuse/access/access_size.h).
  int64_t most_nodes = 512;
};

// How often arithmetic was rewritten by the rules of each law (fuse/algebra/algebra.h), and how
// many products of constants were computed (fuse/constants/known_product.h).
struct Rewrites {
  int associative = 0, distributive = 0, commutative = 0;
  int known_products = 0;
  std::vector<Origin> computed = {};  // nodes of such products of which nothing is left to run
  bool operator==(const Rewrites&) const = default;
};

}  // namespace burin
