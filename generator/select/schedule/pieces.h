// Loops over axes around one statement, with its conditions as their bounds.
//
// A guard of the statement narrows the loop of the innermost axis that it names. Conditions of
// cases inside its value cut that loop into pieces in which they are decided, so that nothing is
// tested where most of the points are (a padded row: left margin, middle, right margin). Pieces are
// at most kMostPieces per loop; conditions beyond that stay in the value.
#pragma once

#include <vector>

#include "select/schedule/loop_plan.h"

namespace burin {

// One loop to build: its axis and bounds, before conditions narrow them.
struct LoopRange {
  int axis = 0;
  Index begin = 0, end = 0;
};

// Loops over `ranges`, outermost first, around `store`.
LoopNodes loops_in_pieces(const std::vector<LoopRange>& ranges, Store store);

// Conditions that ranges[depth] and the outer ones decide become bounds of its loop; the others
// stay in `guard`.
void take_bounds(Guard& guard, const std::vector<LoopRange>& ranges, size_t depth, Index& begin,
                 Index& end);

void append(LoopNodes& out, LoopNodes more);

}  // namespace burin
