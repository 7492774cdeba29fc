// Sets of axes: lists without duplicates, and those that an expression depends on.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/expr/expr.h"

namespace burin {

// Of every index inside, those of loads and guards included; ascending, each once.
std::vector<int> axes_of(const Expr& expr);

inline bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace burin
