// Which loops of an integer product threads may share.
#pragma once

#include "hardware/hardware.h"
#include "select/integers/plan.h"
#include "select/threads/shared_program.h"

namespace burin {

// The axis that is shared; -1: none.
int shared_axis(const IntegerPlan& plan, Share share);

// The points of the loop that is shared.
Dim shared_extent(const IntegerPlan& plan);

// Loops that threads may share, and how the plan calls each.
struct IntegerSharing {
  std::vector<Share> how;
  std::vector<ShareableLoop> loops;
};
IntegerSharing loops_to_share(const IntegerPlan& plan);
// Sets what threads share.
void share(IntegerPlan& plan, const IntegerSharing& loops, const std::optional<LoopParts>& sharing);

// Parts that repay waking a thread each, of work that takes one core so many cycles.
int64_t most_integer_parts(int64_t cycles, const Hardware& hardware);

// Of two ways to stage a plane, in bands that threads share or as a whole for rows that they share:
// whether the whole takes less time, since bands end with tiles that are hardly filled. `filters`:
// rows of the result.
bool whole_plane_is_faster(const SlidingWindow& banded, const SlidingWindow& whole, int64_t filters,
                           int lanes, int64_t cycles, const Hardware& hardware);

}  // namespace burin
