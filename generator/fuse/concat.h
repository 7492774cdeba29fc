// Concatenations, as what a movement does: it puts each of several tensors at a place of its own.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct ConcatPart {
  ValueId from;
  std::vector<Index> at;  // in the whole, of the part's point: axis d is the part's dimension d
};

// The parts that `map` (see joins()) puts beside one another so that they cover its result: each is
// a box of it, possibly of another rank (its dimensions are digits of the whole's). Nothing when it
// does something else.
std::vector<ConcatPart> concat_parts(const Kernel& map, const std::vector<Value>& values);

// A kernel that copies `parts` of map's result to their places, each by a write of its own.
Kernel copy_of_parts(const Kernel& map, const std::vector<ConcatPart>& parts,
                     const std::vector<Value>& values);

}  // namespace burin
