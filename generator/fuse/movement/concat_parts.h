// Concatenations, as what a movement does: it puts each of several tensors at a place of its own.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct ConcatPart {
  ValueId from;            // kNoValue: a box of the whole, which can only be copied
  std::vector<Dim> shape;  // of the tensor, or of the box
  Expr value;              // at the part's point: axis d is the part's dimension d
  std::vector<Index> at;   // in the whole, of the same point
};

// The parts that `map` (see is_concat()) puts beside one another so that they cover its result:
// each is a box of it, possibly of another rank (its dimensions are digits of the whole's). Nothing
// when it does something else. `boxes`: pieces that are not read one to one (a token that is
// repeated for each image) are parts, too.
std::vector<ConcatPart> concat_parts(const Kernel& map, const std::vector<Value>& values,
                                     bool boxes = false);

// Axes of `kernel` for the part's point, which `write` goes over: an index for each dimension, 0
// where it has one element. And where that point is in the whole.
std::vector<Index> add_point(const ConcatPart& part, Kernel& kernel, Write& write);
std::vector<Index> place_in_whole(const ConcatPart& part, const std::vector<Index>& point);

// A kernel that copies `parts` of map's result to their places, each by a write of its own.
Kernel copy_of_parts(const Kernel& map, const std::vector<ConcatPart>& parts);

}  // namespace burin
