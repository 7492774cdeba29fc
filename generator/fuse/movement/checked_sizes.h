// Sizes that the run's first checks tie to each other.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// A network that halves an image and doubles it again checks that what comes back has the size of
// what it is put beside: h == 8*((h + 7) // 8). Behind that check h, 4*((h + 7) // 8) and
// (h + 1) // 2 are the same few numbers written in different ways, and tensors that are equally
// large do not look so. Wherever the start of the run checks that a size of the caller is a
// multiple of a number, tensors between kernels and the kernels get their sizes in units of it,
// in which all of them are linear. Inputs and outputs keep the shapes that the caller knows.
KernelGraph with_checked_sizes(KernelGraph graph);

}  // namespace burin
