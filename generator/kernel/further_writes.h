// Writes of a kernel by themselves, and further ones beside those of another kernel.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

// A kernel of these writes of `kernel`, which use no let, and of the axes that they iterate.
Kernel only_writes(const Kernel& kernel, const std::vector<Write>& writes);

// The writes of `from`, a kernel without lets, become the last of `into`, over axes of their own.
void append_writes(Kernel& into, const Kernel& from);

}  // namespace burin
