// Concatenations, as what a movement does: it puts each of several tensors at an offset.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct ConcatPart {
  ValueId from;
  std::vector<Index> offset;  // of the part inside the whole, per dimension
};

// The parts that `map` (see joins()) puts beside one another along one dimension so that they cover
// its result, in order; nothing when it does something else.
std::vector<ConcatPart> concat_parts(const Kernel& map, const std::vector<Value>& values);

// A kernel that copies `parts` of map's result to their places, each by a write of its own.
Kernel copy_of_parts(const Kernel& map, const std::vector<ConcatPart>& parts,
                     const std::vector<Value>& values);

}  // namespace burin
