// peel: a loop whose values stand under guards becomes loops in which these are decided (loop
// unswitching and index-set splitting; a padded row: left margin, middle, right margin).
//
// A condition of a case that does not move with the loop, nor with loops inside of it, stands in
// front of it: where it fails, values are what the case leaves. One that moves with the loop's
// variable cuts the loop in three: in the middle it holds for all points of the loops inside. The
// margins keep their guards. Legal where the loop is the only one of its variable and runs by one;
// it changes no value and no order.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change peel(const Program& program, int var);

}  // namespace burin::loops
