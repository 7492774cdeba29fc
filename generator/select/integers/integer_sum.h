// The sum of products of 8-bit integers in a kernel, as the model has it.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "select/integers/factor.h"

namespace burin {

// A factor as the model has it.
struct GivenFactor {
  Expr element;                     // i32
  bool constant = false;            // then packed now
  std::optional<ByteFactor> bytes;  // of another one
  std::vector<int> axes;            // that it runs over
};

// Axes are sorted by which factor has them.
struct IntegerSum {
  Kernel kernel;
  GivenFactor a, b;
  std::vector<int> batch, m, n, reduced;
  int column = -1;  // of n: contiguous in the result
};

// nullopt: the kernel is something else, or too small to be worth a tile. `lanes`: sums of a
// register.
std::optional<IntegerSum> find_integer_sum(const Kernel& kernel, const std::vector<Value>& values,
                                           int64_t lanes);

// The reduced axis that is cut into groups of so many: one whose groups are nearly full, rather no
// tap of a window, so that a plane is staged once for all taps.
int grouped_axis(const IntegerSum& sum, int group);

// Whether a reduced axis is a tap of a window: added to one of the result's axes in some index.
bool is_tap(const IntegerSum& sum, int axis);

}  // namespace burin
