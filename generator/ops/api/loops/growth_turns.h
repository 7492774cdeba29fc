// Bounds of extents that hand what they are to each other: of two that are swapped in every
// iteration, where one gets longer by n on the way, each gets longer by n in every second iteration
// only.
//
// Over some number of iterations, the turn, what forms add along the way is summed up: an extent
// at the end of a turn is at most the largest at its beginning, and the most that any way through
// the turn adds. The turn that adds the least per iteration is taken, of at most as many as there
// are extents: that is the longest cycle in which each is visited once.
#pragma once

#include <optional>
#include <vector>

#include "ops/api/loops/linear_bound.h"

namespace burin {

// What an extent of a recurrence is at most after an iteration.
struct RecurrenceForm {
  size_t to;
  LinearForm form;
  Dim most;       // its rest, over all iterations
  int64_t total;  // of its coefficients; not above the denominator here
};

// By extent, over how many iterations are `done`. `base`: none is larger at first, and no form that
// adds up to less than one extent leads beyond it. nullopt: no turn adds less than every iteration
// by itself, or what is added depends on the iteration.
std::optional<std::vector<LinearForm>> bounds_in_turns(size_t extents,
                                                       const std::vector<RecurrenceForm>& forms,
                                                       const Dim& base, const Symbol& done);

}  // namespace burin
