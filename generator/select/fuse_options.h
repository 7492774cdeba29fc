// What `fuse` is told of the hardware, beside its switches.
#pragma once

#include "fuse/access/options.h"
#include "hardware/hardware.h"

namespace burin {

// `in_rows`: floats lie in memory row by row and are computed as floats, so that a product of
// matrices may normalise its rows, where loops of a CPU do it.
FuseOptions fuse_options(const FuseOptions& switches, const Hardware& hardware, bool in_rows);

}  // namespace burin
