// split: for i in b .. e  becomes  for o in 0 .. ceil((e - b) / factor), for w in 0 .. what is left
// of it, with i = b + factor*o + w (Halide's split, YFlows' loop tiling). The order of points
// stays, so it is always legal. `vars` of the change: o, w.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change split(const Program& program, int var, int64_t factor);

}  // namespace burin::loops
