// Points in the space of sizes: each gives every symbol of a problem a size. Planners compare plans
// at them. The first is that of the hints, then the lowest and the highest sizes, geometric means
// between these, and corners at which one symbol is low and the others are high or the reverse.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

class SizePoints {
 public:
  // Of the symbols in `dims`.
  explicit SizePoints(const std::vector<Dim>& dims);

  size_t count() const { return points_.size(); }

  // Of a Dim over these symbols.
  int64_t evaluate(const Dim& dim, size_t point) const;

 private:
  std::vector<std::map<std::string, int64_t>> points_;  // sizes by the symbol's name
};

}  // namespace burin
