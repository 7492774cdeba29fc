// Numbers of few bits that are several to a byte, the first in its lowest bits, and are taken out
// one by one.
#pragma once

#include <vector>

#include "kernel/expr/expr.h"

namespace burin {

// Number `place` of `value`, a list of bytes, as a number of that type; `bits` has each.
Expr out_of_byte(ValueId value, const Index& place, int bits, Type type);

}  // namespace burin
