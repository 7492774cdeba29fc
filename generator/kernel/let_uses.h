// Which lets of a kernel know of which.
#pragma once

#include <set>

#include "kernel/kernel.h"

namespace burin {

// Numbers of the lets that an expression reads.
std::set<int> lets_in(const Expr& expr);

// Whether lets from number `first` on, and writes, read no let before number `least`.
bool reads_no_let_before(const Kernel& kernel, int least, int first);

}  // namespace burin
