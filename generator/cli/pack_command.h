// burin pack: the VLIW packer as a program of its own; see vliw/README.md.
#pragma once

#include "cli/commands.h"

namespace burin {

Command add_pack(CLI::App& app);

}  // namespace burin
