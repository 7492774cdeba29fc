// How far apart two places can be.
#pragma once

#include <optional>

#include "loops/program.h"

namespace burin::loops {

// An upper bound of end - begin that no variable is in: of a block's end, which is the least of
// several ends, and of whole vectors of what is left, k * (x // k). nullopt: none is seen.
std::optional<Dim> greatest_distance(const Index& begin, const Index& end);

}  // namespace burin::loops
