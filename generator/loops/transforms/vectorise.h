// vectorise: an innermost loop of stores becomes a loop over whole vectors, and one for the points
// that are left. Legal where every store is computed lane by lane (loops/lanewise.h), nothing that
// is stored is read at another point, and the loop is the only one of its variable; it changes no
// value.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

// `vars` of the change: the first point of a vector, the lane.
Change vectorise(const Program& program, int var, int lanes);

}  // namespace burin::loops
