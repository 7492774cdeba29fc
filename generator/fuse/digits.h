// Indices as digits of axes. (i // a) % b is a digit of i, and so is one of (i + s) % n, what a
// cyclic shift of it reads. Where an access reads digits only, and all of them, it goes through the
// axes one to one: cutting into windows, shifting these, putting them back together.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// (((axis + shift) % extent) // unit) % base
struct Digit {
  int axis = 0;
  int64_t shift = 0, unit = 1, base = 1;
  bool operator==(const Digit&) const = default;
};

// The digit that an index is, of an axis with a constant extent.
std::optional<Digit> digit_of(const Index& index);

// The values of `axes` (constant extents) at the point of a tensor of `shape` that is read at
// `read`: every dimension's index is a number of digits in mixed radix, and the digits of each axis
// are all there. `point` has one index per dimension. nullopt where that is not so.
std::optional<std::vector<Index>> from_digits(const std::vector<Axis>& axes,
                                              const std::vector<Index>& read,
                                              const std::vector<Dim>& shape,
                                              const std::vector<Index>& point);

}  // namespace burin
