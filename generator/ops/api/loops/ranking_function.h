// How often a loop goes round that only its condition ends: `while (i < n) i = i + 1;` as exporters
// write it, with 2^63 - 1 trips or none. A ranking function is read off the body.
//
// A condition `x < y` has a gap y - x: an iteration is followed by another only where its gap is
// above 0. Over what is carried at its beginning, an iteration's gap is one expression, the same in
// all iterations; so if what it makes of the carried values turns the gap into one that is
// less by at least one, or not above 0, then the number of iterations is at most the first gap plus
// one.
//
// Branches of the body are looked at path by path: the condition of a path that is taken holds, so
// it has a gap too (`while i < n and go_on`); a path may end the loop (`i = n`).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// An integer that is carried.
struct Counter {
  Symbol symbol;            // stands for it at the beginning of an iteration
  Dim start;                // before the first one
  ValueId value;            // that holds it; kNoValue: it is an extent
  std::optional<Dim> made;  // what an iteration makes of an extent
  Expr result;              // of another: the element that it becomes
};

// Of carried value number k; nullopt: it is not one integer, or not known at first.
std::optional<Counter> counter_of(OpContext& op, size_t k, const Operand& initial,
                                  const Operand& state, const Operand& result);

struct Repetition {
  std::vector<Counter> counters;
  Expr goes_on;  // the condition that an iteration gives
  // Symbols that are not the same in all iterations, those of the counters included.
  std::function<bool(const Symbol&)> changes;
};

// Integers that are in memory before the loop and not known: a symbol each, of any value, that
// stands for it in bounds.
using Limits = std::map<ValueId, Symbol>;

// A symbol that only bounds are written in: a name that no size has (it has a space), any value.
Symbol any_integer(const std::string& name);

// How many iterations there are at most, over sizes and `limits`, to which it may add: with a
// larger limit it is not less. nullopt: nothing says so.
std::optional<Dim> most_iterations(OpContext& op, const Steps& body, const Repetition& repetition,
                                   Limits& limits);

// By what every iteration of `body` adds to the integer; nullopt: it does not add the same always.
// Then it is known in each: start + number of the iteration * step.
std::optional<int64_t> step_of(OpContext& op, const Steps& body, const Counter& counter);

}  // namespace burin
