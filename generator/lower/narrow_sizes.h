// Ranges of sizes of the caller, as the checks that every run makes leave them.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "lower/unify.h"
#include "support/diagnostics.h"

namespace burin {

// The note of an open size that can only be one number, by a rule of a node.
Diagnostic only_one_left(const SymbolInfo& size, int64_t number, const Location& place,
                         const std::string& rule);

struct NarrowedSizes {
  // Each is the same symbol with less range or another hint, or the only number that is left, and
  // stands at `equation` 0.
  std::vector<Substitution> sizes;
  std::vector<Diagnostic> notes;  // open sizes that can only be one number
};

// A run that is refused needs no plan: where every run checks that 1 <= 6 - 2*x, x is at most 2,
// and nothing has to be laid out, nor chosen, for more. Bounds come from
//
// - every condition that is linear in a size, by what the rest of it is at most (interval
//   propagation, to a fixpoint or kMostSweeps);
// - conditions about one size alone, whatever their form, by trying the ends of its range, and by
//   what they can be from a power of two on;
//
// and the size to optimise for, where the user gives none and the usual one (at_hints) is one that
// checks refuse, becomes the nearest one that they admit; sizes that checks tie to each other
// shrink together, or one of them to its least, until these hold.
//
// `checks`: conditions over numbers and `params` alone count, others are passed over. Refuses as
// "shape-mismatch", at the node of the check, where nothing is left, or not the size that a user
// wants to optimise for. O(sweeps * conditions * terms).
NarrowedSizes narrowed_sizes(const std::vector<Check>& checks, const std::vector<Symbol>& params);

}  // namespace burin
