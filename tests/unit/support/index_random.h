// Random quasi-affine expressions beside their direct evaluation, for property tests.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

// Values of axes 0, 1, ... and of symbols.
struct IndexPoint {
  std::vector<int64_t> axes;
  std::vector<int64_t> symbols;
};

// An Index and what it must be at a point, computed without the algebra.
struct Checked {
  Index index;
  std::function<int64_t(const IndexPoint&)> value;
};

struct IndexSpace {
  std::vector<Symbol> symbols;
  std::vector<Dim> extents;  // of the axes, over the symbols

  // Every point: all symbol values up to `largest` above their minimum, all axis values.
  void each_point(int64_t largest, const std::function<void(const IndexPoint&)>& body) const;
  int64_t evaluate(const Index& index, const IndexPoint& point) const;
};

// Floor division and modulo from their definition.
int64_t floor_quotient(int64_t a, int64_t b);

class IndexGenerator {
 public:
  IndexGenerator(const IndexSpace& space, uint32_t seed) : space_(space), random_(seed) {}

  // `depth` levels of operations. Divisors are constants or symbols whose minimum is positive.
  Checked expression(int depth, bool with_axes = true);
  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }

 private:
  Checked leaf(bool with_axes);
  Checked divisor();

  const IndexSpace& space_;
  std::mt19937 random_;
};

}  // namespace burin
