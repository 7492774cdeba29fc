// Which way of a kernel is the way of memory.
#pragma once

#include "kernel/kernel.h"

namespace burin {

// Whether neighbours along `axis` lie side by side in a tensor or let that the expression reads.
bool is_contiguous(const Expr& expr, int axis, const Kernel& kernel,
                   const std::vector<Value>& values);

}  // namespace burin
