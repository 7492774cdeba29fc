// Pools of dequantised bytes: the greatest (least) byte is found, and the float made of it.
//
//   max over k of f(b[k]) = f(max over k of b[k]), where f never falls; of the least where it never
//   rises
//
// f is looked at for all 256 bytes by the interpreter, bit by bit, so nothing is asked of what it
// is made of. Outside of the tensor a pool reads the identity of its combiner: an infinity, the
// least byte. Both are the same where every result has a place at which no condition can fail.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// O(size of the graph).
KernelGraph with_byte_extremes(KernelGraph graph);

}  // namespace burin
