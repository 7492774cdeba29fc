// Recurrences: bounds of extents that depend on each other and on nothing else that is open (a
// strongly connected component of dependences); the cases of growth.h.
#pragma once

#include <optional>
#include <vector>

#include "ops/api/loops/growth.h"
#include "ops/api/loops/linear_bound.h"

namespace burin {

// What counts the iterations of a loop. Two symbols, because the bodies of a loop that runs once
// only ever see the number 0, while one iteration may be done: an expression over `number` may be
// simplified by its being below the trips, one over `done` by its not being above them.
struct Iterations {
  Symbol number;  // of the iteration that runs; what its sizes may depend on
  Symbol done;    // how many have run; bounds are over it
  Dim trips;      // at most
};

Iterations iterations_of(const Growth& growth);

// A bound over how many have run, at the beginning of the iteration that runs then.
LinearForm at_the_beginning(const LinearForm& bound, const Iterations& iterations);

struct GrowthRecurrence {
  std::vector<Dim> starts;  // over lasting sizes
  // What each is at most after an iteration, over all of them and the number of the iteration.
  std::vector<LargestOf> becomes;
};

// The most that each is when some iterations are done, over how many; it never falls.
std::optional<std::vector<LinearForm>> bounds_of_recurrence(const GrowthRecurrence& recurrence,
                                                            const Iterations& iterations);

// The sum of `dim` over all numbers below how many are done, where it is a polynomial of them.
std::optional<LinearForm> sum_of_done(const Dim& dim, const Iterations& iterations);

// The most that such a bound is after all iterations; nullopt: too large to be a size.
std::optional<Dim> at_the_end(const LinearForm& bound, const Iterations& iterations);

// `dim` over sizes of the caller, where these bound it, so that it is never less; a dynamic
// size stands for itself: whoever bounds it bounds what is made of it. nullopt: too
// large to be a size.
std::optional<Dim> lasting_bound(const Dim& dim);

}  // namespace burin
