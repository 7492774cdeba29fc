// Whether points of a loop can run at the same time.
#pragma once

#include <string>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

// The faults of one loop: buffers that two of its points may touch, of which one of them writes it.
// Shown from indices alone: along some dimension every access of the buffer lies in a part of its
// own for each value of the loop's variable, parts being equally far apart.
// What is allocated inside is a point's own; but in a loop over lanes, whose statements run for all
// points before the next, and arrays in an independent one, which have one address for all points.
std::vector<std::string> races_of(const For& loop, const Program& program);

}  // namespace burin::loops
