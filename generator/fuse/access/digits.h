// Indices as digits of axes. (i // a) % b is a digit of i, and so is one of (i + s) % n, what a
// cyclic shift of it reads. Where an access reads digits only, and all of them, it goes through the
// axes one to one: cutting into windows, shifting these, putting them back together. Units and
// bases may be dynamic sizes: what divides what, and which digit follows which, is
// seen from products of sizes that are equal as polynomials, so it holds for every size.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// (((axis + shift) % extent) // unit) % base, where unit * base divides the extent.
struct Digit {
  int axis = 0;
  Dim shift = 0, unit = 1, base = 1;
  bool operator==(const Digit&) const = default;
};

// The digit that an index is.
std::optional<Digit> digit_of(const Index& index);

// The values of `axes` at the point of a tensor of `shape` that is read at `read`: every
// dimension's index is a number of digits in mixed radix, and the digits of each axis are all
// there. `point` has one index per dimension, inside the tensor. nullopt where that is not so, or
// not seen. O(digits²).
std::optional<std::vector<Index>> from_digits(const std::vector<Axis>& axes,
                                              const std::vector<Index>& read,
                                              const std::vector<Dim>& shape,
                                              const std::vector<Index>& point);

}  // namespace burin
