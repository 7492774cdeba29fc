// Floats that are made of bytes are not stored: the bytes are, and readers make the floats again.
//
// Of networks whose tensors are quantised some stay floats in between: a sum of two dequantised
// tensors that a residual reads as it is, a channel's factor. Where integers have vectors and
// floats have none, and a quarter of the memory is enough, a kernel that writes f(b, x ...), b a
// byte that it makes and x ... bytes that are there, writes b; whoever read f32 reads b and x ...
// and computes f. Values stay what they were.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Legal where the tensor is the graph's own, has one writer that fills it element by element, and
// kernels read it and nobody else. It is done where f is made of few operations, or nobody computes
// it more often than once for each element, and where it is of at most kMostStoredOperands bytes.
// O(steps * size of a kernel).
KernelGraph with_stored_bytes(KernelGraph graph);

inline constexpr int kMostStoredOperands = 7;

}  // namespace burin
