// Constants of numbers that four bits hold, in loops that take them one by one: two to a byte,
// where code and data are to be small. Products in tiles have panels of their own
// (products/compact.h).
#pragma once

#include "kernel/kernel.h"

namespace burin {

// The kernel over such constants, which become values, in place of those that have a byte for each.
// O(elements of its constants).
Kernel with_pairs(Kernel kernel, std::vector<Value>& values);

}  // namespace burin
