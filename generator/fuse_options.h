// What `fuse` is told of the hardware, beside its switches.
#pragma once

#include "hardware/hardware.h"
#include "pipeline.h"

namespace burin {

FuseOptions fuse_options(const CompileOptions& options, const Hardware& hardware);

}  // namespace burin
