// vectorise: an innermost loop of stores becomes a loop over whole vectors, and one for the points
// that are left. Legal where every store is computed lane by lane (loops/lanewise.h), nothing that
// is stored is read at another point, and the loop is the only one of its variable; it changes no
// value.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

// What becomes of points that fill no vector.
enum class Rest : uint8_t {
  one_by_one,
  masked,  // a vector of which only the first lanes are loaded and stored
};

// Empty: it is legal, if the loop is the only one of its variable.
std::string why_no_vectors(const Program& program, const For& loop, int lanes,
                           Rest rest = Rest::one_by_one);

// `vars` of the change: the first point of a vector, the lane.
Change vectorise(const Program& program, int var, int lanes, Rest rest = Rest::one_by_one);

}  // namespace burin::loops
