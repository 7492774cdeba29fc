// Elements of less than a byte take one each in a tree: C++ has no smaller object, and two threads
// may not write parts of one. Values of i2 and i4 become i8, of u2 and u4 u8, sign included; what
// is stored still wraps into as many bits. Floats of 4 bits become f8e4m3fn, which holds all of
// them, and are still rounded; many of them that are constants become their codes. Integers that
// are constants, of which there are many, and that only maps read, stay several to a byte; those of
// products are packed as select/products/compact.h says, and what both read take a byte until then.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// O(size of the graph). Graphs without 4-bit values come back as they are.
KernelGraph unpack_nibbles(KernelGraph graph);

}  // namespace burin
