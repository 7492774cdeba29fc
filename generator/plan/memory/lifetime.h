// Positions and lifetimes: which values hold something that is still needed, at which step.
//
// Positions are the places of the steps in the order in which they run (kernel/run_order.h). A
// value is live where a write may have reached it and a read may still come. Loops go around: a
// value that an iteration leaves to the next one, or that comes from outside the loop and is read
// in it, lives through the whole loop; a value that every iteration first defines as a whole does
// not. Both branches of an If are possible, so a value that only one needs is dead in the other.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "plan/packing/buffer_packing.h"
#include "plan/packing/position_set.h"

namespace burin {

// One position: the step, what it touches by itself (of an If its condition, of a Loop its
// condition and trips), and where what lies inside it ends.
struct Position {
  const Step* step = nullptr;          // into the graph
  int last = 0;                        // the last position inside; itself for a leaf
  std::vector<ValueId> reads, writes;  // sorted, unique
  std::vector<ValueId> defines;        // of the writes: those that replace every element
};
std::vector<Position> positions_of(const KernelGraph& graph);

struct Lifetime {
  PositionSet held;   // live before, during or after the step
  PositionSet after;  // still needed when the step is done
};

// By value, for all kinds. Inputs and constants are held everywhere, outputs until the end.
// O(values * positions) at worst: a value is followed where it is touched, and in the loops around.
std::vector<Lifetime> lifetimes_of(const KernelGraph& graph,
                                   const std::vector<Position>& positions);

std::vector<Interval> intervals_of(const PositionSet& held);

}  // namespace burin
