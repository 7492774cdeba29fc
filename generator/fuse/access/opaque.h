// Indices as they come out of substitution, without what the algebra of Index would simplify: to
// measure what that is worth (SmartMem's index comprehension).
#pragma once

#include "kernel/kernel.h"

namespace burin {

// The kernel with every computed index at which it loads `from` as an integer that nothing sees
// into, so that a map which is put in its place divides it at each element.
Kernel with_opaque_points(const Kernel& kernel, ValueId from);

}  // namespace burin
