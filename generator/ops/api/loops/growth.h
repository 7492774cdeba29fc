// How large the extents may get that every iteration of a loop changes (SoD2's lattice at loop
// headers: equal, bounded, nac). All extents of a loop are looked at together, because what one
// becomes may depend on what the others are.
//
// What an iteration makes of an extent is at most the largest of some linear forms of all of them
// (linear_bound.h). Over these,
//   - one that depends on none is at most that, or what it was at first: a window of the last four;
//   - those that depend on each other (a strongly connected component) are taken together, others
//   before them. A bound
//     of such is steady if an iteration does not lead beyond it: starting from the extents at
//     first, what an iteration makes of a bound is tried as the next bound, once per extent of the
//     component;
//   - if it goes on, but no form adds up to more than one extent, the largest of them gets longer
//     by what the forms add, in each iteration: a sum over the number of the iteration, which is a
//     polynomial of the number of trips (a component that adds another that grows by one:
//     quadratic);
//   - else they are multiplied, and a bound is found only where the trips are at most a number.
// Bounds are over how many iterations are done, until all are found: then over the trips.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

struct GrowingExtent {
  Symbol symbol;  // stands for it in `result`
  Dim start;      // before the first iteration
  Dim result;     // what an iteration makes of it
};

struct Growth {
  std::vector<GrowingExtent> extents;
  Symbol iteration;  // its number
  Dim trips;         // at most
  // Symbols that are not the same in all iterations, those of extents included.
  std::function<bool(const Symbol&)> changes;
};

// The most that each may be at any time, over sizes that are known when the loop begins: where all
// of these have bounds, over sizes of the caller. nullopt: not known, or too large to be a size.
std::vector<std::optional<Dim>> bounds_of_growth(const Growth& growth);

// What a symbol is at most: a number, an expression, or kUnbounded.
inline Dim most_of_symbol(const Symbol& symbol) {
  return symbol->most ? *symbol->most : Dim(symbol->max);
}
inline bool is_bounded(const Symbol& symbol) {
  return !most_of_symbol(symbol).is_constant(kUnbounded);
}

}  // namespace burin
