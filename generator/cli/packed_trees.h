// What packs the instructions of a tree: the packer of vliw/, where a description names its
// machine.
#pragma once

#include "cli/common.h"
#include "verify/build.h"

namespace burin {

// Empty: the description names none, or `--without packing` leaves what compilers write.
PackAssembly packing_of(const CommonFlags& flags);

}  // namespace burin
