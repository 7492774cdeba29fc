// Offsets as expressions. A packing at one choice of sizes says, for every two buffers that are
// live at the same time, which lies below; that order has no cycles, so
//     offset(b) = max over a directly below b of offset(a) + size(a)
// is a correct packing for all sizes, and equal to or below the given one at the given sizes.
#pragma once

#include <vector>

#include "plan/memory/memory_plan.h"
#include "plan/packing/size_points.h"

namespace burin {

struct SymbolicBuffer {
  Dim size;                    // in units of the alignment
  std::vector<Interval> live;  // as in LiveBuffer
  int64_t offset = 0;          // of the given packing
};

struct SymbolicOffsets {
  std::vector<Dim> offsets;      // by buffer, in units
  Dim height;                    // reached by the highest
  std::vector<NamedSize> named;  // what the offsets use, in the order of evaluation
};

// O(n * overlaps^2) and the proofs on what is left after transitive reduction.
SymbolicOffsets symbolic_offsets(const std::vector<SymbolicBuffer>& buffers);

// The largest sum of live bytes as an expression: a true lower bound at all sizes, tight at the
// points.
Dim symbolic_live_sum(const std::vector<SymbolicBuffer>& buffers, const SizePoints& points);

}  // namespace burin
