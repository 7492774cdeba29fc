// reorder: a loop and the one right inside of it change places.
//
// Legal where nothing else stands between them, the inner bounds do not depend on the outer
// variable, and points of one of both loops never touch an element in common that they write: every
// element then sees its values in the order in which it saw them before.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change reorder(const Program& program, int outer, int inner);

}  // namespace burin::loops
