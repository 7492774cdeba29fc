// Which loop of an integer product threads share.
#pragma once

#include "hardware/hardware.h"
#include "select/integers/plan.h"

namespace burin {

// The axis that is shared; -1: none.
int shared_axis(const IntegerPlan& plan, Share share);

// Parts that repay waking a thread each, and even out threads of unequal speed; of work that takes
// one core so many cycles.
int64_t most_integer_parts(int64_t cycles, const Hardware& hardware);

// Of two ways to stage a plane, in bands that threads share or as a whole for rows that they share:
// whether the whole takes less time, since bands end with tiles that are hardly filled. `filters`:
// rows of the result.
bool whole_plane_is_faster(const SlidingWindow& banded, const SlidingWindow& whole, int64_t filters,
                           int lanes, int64_t cycles, const Hardware& hardware);

// Sets what threads share, and how large a part is. `given`: verb "threads"; what may not be so is
// not taken.
void share_parts(IntegerPlan& plan, int64_t cycles, const Hardware& hardware,
                 const Given& given = {});

}  // namespace burin
