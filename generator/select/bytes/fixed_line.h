// A form of bytes (real_form.h) in fixed point of 32 bits, as the rows of isa/byte_rows.h compute
// it, and a proof that its bytes are those of floats.
//
// Positions have `fraction` bits below a byte, as many as the greatest of them leaves. A position
// strays from floats by the roundings of both: its `reach`. Further than that from the end of a
// byte both give the same one. Nearer to it, every combination of the bytes is looked at, as long
// as there are not more than kMostCombinations: then an offset is sought with which all are right,
// so that none is in doubt as the tree runs. Else the tree looks whether a position is near.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "select/bytes/real_form.h"

namespace burin {

inline constexpr int64_t kMostCombinations = int64_t{1} << 24;

// What is read of a line at a point: its beginning, a factor or two limits for each stage, how far
// is near and 32 - fraction, then fraction - 16 and the limits of the byte. i32 each.
struct FixedLine {
  struct Stage {
    int operand = -1;  // -1: limits
    int part = 0;      // where its numbers are
  };
  std::vector<Stage> stages;
  int near = 0, end = 0, size = 0;  // parts
  bool sure = false;                // no position is in doubt
  int fraction = 0;
  std::vector<int32_t> parts;  // of all points
};

// A point and the bytes there.
struct ByteCombination {
  size_t point = 0;
  std::vector<int64_t> bytes;
};
// The bytes that floats give for some.
using ExactBytes = std::function<std::vector<int64_t>(const std::vector<ByteCombination>&)>;

// nullopt: 32 bits do not hold it, or so many combinations are in doubt that one by one is better.
std::optional<FixedLine> fixed_line_of(const RealForm& form, const std::vector<Expr>& operands,
                                       const ExactBytes& exact);

}  // namespace burin
