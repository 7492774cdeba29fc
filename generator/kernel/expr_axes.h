// The axes that an expression depends on.
#pragma once

#include <vector>

#include "kernel/expr.h"

namespace burin {

// Of every index inside, those of loads and guards included; ascending, each once.
std::vector<int> axes_of(const Expr& expr);

}  // namespace burin
