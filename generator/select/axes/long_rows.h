// Rows that are shorter than a few vectors, as longer ones.
#pragma once

#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

// An elementwise kernel in which bytes or words meet floats is computed in whole vectors
// (select/programs/vectors.h), and what is left of a row one by one. While its innermost axis has
// few vectors, or no whole number of them, it becomes one with the axis before, where no address
// needs a division for that; another axis is left for threads.
Kernel with_long_rows(const Kernel& kernel, const std::vector<Value>& values,
                      const Hardware& hardware);

}  // namespace burin
