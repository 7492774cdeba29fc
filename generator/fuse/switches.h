// The rewrites of `fuse` by the names that `--without` has.
#pragma once

#include <span>

#include "fuse/access/options.h"

namespace burin {

struct FuseSwitch {
  const char* name;
  bool FuseOptions::*on;
  const char* of = "";  // what is rewritten, where the name alone does not tell
};

std::span<const FuseSwitch> fuse_switches();

}  // namespace burin
