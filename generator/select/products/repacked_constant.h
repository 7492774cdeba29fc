// Where elements of a constant lie in panels that a kernel has of it.
#pragma once

#include "kernel/kernel.h"

namespace burin {

struct RepackedConstant {
  ValueId source = kNoValue;
  Expr element;  // over its dimensions as axes, of the type that a load of it has
};

}  // namespace burin
