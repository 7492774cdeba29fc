// 4-bit integers of a model take a byte each in its tree: C++ has no smaller object, and two
// threads may not write halves of one. Values of i4 become i8 and of u4 u8, sign included; what is
// stored still wraps into 4 bits. Constants of which there are many, and that only maps read, stay two
// to a byte; those of products are packed as select/compact.h says.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// O(size of the graph). Graphs without 4-bit values come back as they are.
KernelGraph unpack_nibbles(KernelGraph graph);

}  // namespace burin
