// The sum of products of 8-bit integers or of bf16 in a kernel, as the model has it.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "select/integers/factor.h"

namespace burin {

// A factor as the model has it.
struct GivenFactor {
  Expr element;                        // of the sum's type
  bool constant = false;               // then packed now
  std::optional<NarrowFactor> narrow;  // of another one
  std::vector<int> axes;               // that it runs over
};

// Axes are sorted by which factor has them.
struct IntegerSum {
  Kernel kernel;
  Type sum = Type::i32;  // f32: of bf16
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

// Axes of a constant factor, `own` of which only it has, in the order of PanelShape.
std::vector<int> axes_of_panels(const IntegerSum& sum, const std::vector<int>& own);

// Whether a reduced axis is a tap of a window: added to one of the result's axes in some index.
bool is_tap(const IntegerSum& sum, int axis);

}  // namespace burin
