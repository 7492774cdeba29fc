// What is done to a sum on its way to a byte, step by step, as floats do it; and how little of a
// line is in doubt where it is compared with that.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// A value that the sum makes: expression, then what is done to it. Constants are numbers by point.
struct LineStep {
  enum class Kind : uint8_t { add, multiply, divide, as_float, round, least, greatest };
  Kind kind;
  bool real = false;            // in f32
  std::vector<double> numbers;  // of each point
};

// The byte of a sum at a point, by the same operations in f32. It does not fall where sums rise.
int32_t byte_by_steps(const std::vector<LineStep>& steps, size_t point, Type type, int64_t sum);

// A line (isa::LinePart) for sums in [first, last], with the factor and the offset at which no byte
// is too low and the fewest positions above the beginning of a byte are near to it, often none:
// each byte begins at one sum, which is looked for around where the line has it, and how far the
// sums before are above is a convex function of the factor. O(bytes * log(sums)), mostly a few sums
// a byte. `parts` stay as they are where that is no better.
void make_doubts_few(const std::vector<LineStep>& steps, size_t point, Type type, int64_t first,
                     int64_t last, std::vector<int32_t>& parts);

}  // namespace burin
