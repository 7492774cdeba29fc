// Code that is short comes first where a description says so (`optimise`: size): kernels that are
// called again instead of loops that are repeated, one tile per product, no loops twice for the
// sake of conditions, no rows in partial results.
#pragma once

#include "hardware/hardware.h"

namespace burin {

inline bool short_code(const Hardware& hardware) { return hardware.optimise == Optimise::kSize; }

// The machine as register tiles see it, which are counted in vectors of four: where there are only
// scalar registers, a vector is four of them.
Hardware tiles_of_scalars(Hardware hardware);

}  // namespace burin
