// Bounds of extents that depend on each other and on nothing else that is open: the cases of
// growth.h.
#pragma once

#include <optional>
#include <vector>

#include "ops/api/growth.h"
#include "ops/api/linear_bound.h"

namespace burin {

struct Circle {
  std::vector<Dim> starts;  // over lasting sizes
  // What each is at most after an iteration, over all of them and the number of the iteration.
  std::vector<LargestOf> becomes;
};

// The most that each is at the beginning of an iteration, over its number; it never falls.
std::optional<std::vector<LinearForm>> bounds_of_circle(const Circle& circle, const Growth& growth);

// The sum of `dim` over all numbers below `number`, where it is a polynomial of it.
std::optional<LinearForm> sum_below(const Dim& dim, const Symbol& number);

// The most that such a bound is after all iterations; nullopt: too large to be a size.
std::optional<Dim> at_the_end(const LinearForm& bound, const Growth& growth);

// `dim` over sizes of the caller, where these bound it, so that it is never less; a size that
// only the run knows stands for itself: whoever bounds it bounds what is made of it. nullopt: too
// large to be a size.
std::optional<Dim> lasting_bound(const Dim& dim);

}  // namespace burin
