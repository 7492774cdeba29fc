// What is the same along a row is computed once for it.
//
// A kernel that reduces rows and then reads them again (a normalisation) says a mean, a deviation,
// a root of it at every place. Where floats have no vectors and divisions and roots are code, no
// compiler takes those out of a loop. So every largest part of what lets and writes say that is
// made of lets of the row, and of nothing that moves along it, becomes a let of the row. Values
// stay what they were, bit by bit.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// All lets of such a kernel are reductions over the same axes. O(size of the kernel squared).
KernelGraph with_row_invariants(KernelGraph graph);

}  // namespace burin
