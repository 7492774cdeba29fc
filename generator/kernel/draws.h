// What is drawn at random: no tensor of expected numbers says whether it is right, its
// distribution does (verify/draw_test.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernel/kernel.h"

namespace burin {

enum class DrawKind : uint8_t {
  uniform,    // between a and b
  normal,     // of mean a and deviation b
  bernoulli,  // 1 with the probability a, else 0; or with that of `parameter`, element by element
  classes,    // along the last dimension: the number of a class; row by row, their probabilities
              // are the softmax of `parameter`
};

struct Distribution {
  DrawKind kind = DrawKind::uniform;
  double a = 0, b = 1;
  ValueId parameter = kNoValue;  // of the graph that `lower` gives
};

// A value of the graph that `lower` gives: drawn, or computed from draws (no distribution is said).
struct DrawnValue {
  ValueId value = kNoValue;
  std::optional<Distribution> distribution = {};
};

}  // namespace burin
