// specialise: a loop stands twice, once for where a condition holds and once for where it does not.
// Versions by size are this (SoD2 4.4.2), edges of tiles, and corners as two of them. The points
// that run stay the same, so it is always legal. In the first version `facts` replace bounds: a
// loop inside whose end the condition decides gets that end.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

// if (condition) { the loop, with loops of `inner` ending at `end` } else { the loop }. The caller
// says that `end` is what the bound is where the condition holds; refused where that cannot be
// shown from the condition's form size <= index < ...: the bound must be min(end, rest) with rest
// >= end there.
Change specialise(const Program& program, int var, int inner, int64_t end);

}  // namespace burin::loops
