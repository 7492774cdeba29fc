// Outputs of the network that are floats of a byte: the byte is computed, and a map makes the
// float.
//
// Where integers have vectors and floats have none, a kernel that makes bytes is vector code, one
// that writes f(b), b a byte of its own, is not: floats would be behind every sum. So the kernel
// writes b into a tensor of the graph, and f32 is made of that, element by element.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Of kernels of the graph's own list with lets; f is made of what is the same for all elements.
// O(size of the graph).
KernelGraph with_bytes_before_outputs(KernelGraph graph);

}  // namespace burin
