// Floats that are made of bytes are not stored: the bytes are, and readers make the floats again.
//
// Of networks whose tensors are quantised some stay floats in between: a sum of two dequantised
// tensors that a residual reads as it is, a channel's factor. A kernel that writes f(b, x ...), b a
// byte that it makes and x ... bytes that are there, writes b, a quarter of the memory; whoever
// read f32 reads b and x ... and computes f. Values stay what they were. Where floats have vectors,
// too, that pays for what products make of themselves only, f(b) of few operations.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Legal where the tensor is the graph's own, has one writer that fills it element by element, and
// kernels read it and nobody else. It is done where f is made of few operations, or nobody computes
// it more often than once for each element, and where it is of at most kMostStoredOperands bytes.
// O(steps * size of a kernel).
// `of_products`: only f(b) of products.
KernelGraph with_stored_bytes(KernelGraph graph, bool of_products = false);

inline constexpr int kMostStoredOperands = 7;

}  // namespace burin
