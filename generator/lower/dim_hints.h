// The flags --dim that refusals of operators suggest.
#pragma once

#include <string>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

// That which makes both equal, where one is a size of the caller and the other a number; else
// empty.
std::string size_to_give(const Dim& a, const Dim& b);

// Those that make numbers of the sizes of an input; empty where they are.
std::string size_to_fix(const std::vector<Dim>& shape);

}  // namespace burin
