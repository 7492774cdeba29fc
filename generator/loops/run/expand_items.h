// What work-items do between barriers as loops of its own: a program without barriers, which runs
// one point after the other and whose races are those of its loops over items.
#pragma once

#include "loops/program.h"

namespace burin::loops {

// Loops over items whose bodies have barriers become loops between these (loops/run/inward.h).
Program expand_items(Program program);

}  // namespace burin::loops
