// A body that is repeated, with carried values and values that every iteration emits (stacked along
// a new first dimension): what Loop is, and what SequenceMap is where it is dynamic how often.
//
// A carried value is as many tensors as it takes (carried.h), each a temporary that the body's end
// overwrites. One whose shape changes has a symbol in place of each changing extent, bound anew in
// every iteration; the body is lowered again until no further extent changes.
#pragma once

#include <functional>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

struct RepeatedBody {
  Dim trips = kUnbounded;  // at most; kUnbounded: only the condition ends it
  bool counted = true;     // the model gives them, if only as 2^63 - 1
  // Where only the condition ends it: makes the symbol to which a user may give a bound, at which
  // the run stops.
  std::function<Symbol()> ask = {};
  Expr condition;                // whether there is a first iteration; null: there is
  bool starts = true;            // that is known to hold
  bool goes_on = false;          // the condition that an iteration gives is known to hold
  std::vector<Operand> initial;  // output k is what becomes of the k-th
  // What an iteration makes of its number, the condition and what is carried: a condition, what is
  // carried on, what is emitted.
  std::function<std::vector<Operand>(const Index& number, const Operand& go,
                                     const std::vector<Operand>& carried)>
      body;
};

// Lowers the node that repeats it, its outputs included.
void lower_repeated(OpContext& op, const RepeatedBody& repeated);

}  // namespace burin
